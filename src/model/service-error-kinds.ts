/** What an error of a service is about, told by its code first and its words second. */
import type { ServiceError } from './service-error.ts';

/** A call without a result or a result without a call: we built the request wrongly. */
export function isPairingError({ message, param = '' }: ServiceError): boolean {
  return unpaired.some((words) => words.test(message)) || /tool_call_id/.test(param);
}

const unpaired = [
  /tool_call_id/i,
  /tool_calls['"`]? must be followed|prece+ding message with ['"`]?tool_calls/i,
  /tool_use['"`]? ids? (?:was|were) found without|unexpected ['"`]?tool_use_id/i,
  /expected toolResult blocks|number of toolResult blocks/i,
  /not the same number of function calls|number of function response parts/i,
];

/** The request is larger than the model's window. */
export function isTooLong({ code, message, status }: ServiceError): boolean {
  return code === 'context_length_exceeded' || status === 413 || tooLong.test(message);
}

const tooLong =
  /context[_ ](?:length|window|size)|maximum prompt length|too many (?:input )?tokens|(?:prompt|input) is too long|reduce the length of the messages|input token count/i;

export function isUnknownModel({ code, type, message, status }: ServiceError): boolean {
  return (
    status === 404 ||
    code === 'model_not_found' ||
    code === 'DeploymentNotFound' ||
    type === 'invalid_model' ||
    unknownModel.test(message)
  );
}

const unknownModel =
  /\bmodel\b.{0,120}(?:not found|not exist|is not a valid model|unknown)|invalid model|not a valid model|no models? loaded/i;

/** The account has no credit: waiting does not help. */
export function isOutOfCredit({ code, type, status, message }: ServiceError): boolean {
  return (
    status === 402 ||
    code === 'insufficient_quota' ||
    type === 'insufficient_quota' ||
    (status === 429 &&
      /insufficient[_ ](?:quota|balance|credits?)|exceeded your current quota/i.test(message))
  );
}

/** Failures that may pass: the same request may be asked again as long as nothing was shown. */
export function isTransient(error: ServiceError): boolean {
  const { status, code } = error;
  if (isOutOfCredit(error)) return false;
  // The model wrote a call that the service itself could not read (Groq): another sample may be fine.
  if (code === 'tool_use_failed') return true;
  return status === 408 || status === 409 || status === 429 || (status !== undefined && status >= 500);
}
