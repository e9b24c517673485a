/** A command as it is typed where a platform has no forms for it: `/memory forget 2`, `/settings zone Europe/Berlin`. */
import { type Command, typedActions } from '../domain/command.ts';
import { answerStyles, type ChangedChoices } from '../domain/person.ts';

/** Takes a choice back. */
const unset = 'auto';

/** Undefined: it is none, or not written as one; then it is a message like any other. */
export function readCommandLine(line: string): Command | undefined {
  const [, name = '', rest = ''] = /^\s*\/(\w+)(?:\s+(.*?))?\s*$/su.exec(line) ?? [];
  switch (name.toLowerCase()) {
    case 'reminders':
      return rest === '' ? { name: 'reminders' } : doingIn(rest);
    case 'unlink':
      return rest === '' ? { name: 'unlink' } : undefined;
    case 'link':
      return { name: 'link', code: rest === '' ? undefined : rest };
    case 'memory':
      return memoryIn(rest);
    case 'settings': {
      const change = changeIn(rest);
      return change && { name: 'settings', change };
    }
    case 'remind': {
      // In a time no blank follows the colon.
      const [, when, what] = /^(.+?):\s+(\S.*)$/su.exec(rest) ?? [];
      return when === undefined || what === undefined ? undefined : { name: 'remind', when, what };
    }
    default:
      return undefined;
  }
}

/** `cancel r3`, `change r3 tomorrow at 10`, `snooze r3 20`. */
function doingIn(text: string): Command | undefined {
  const [, name = '', id = '', rest = ''] =
    /^(\w+)(?:\s+((?:[a-z]+-)?r\d{1,6}))?(?:\s+(.*))?$/isu.exec(text) ?? [];
  const action = typedActions.find((each) => each === name.toLowerCase());
  if (action === undefined || (id === '') !== (action === 'move')) return undefined;
  return { name: 'reminders do', action, id: id.toLowerCase(), rest: rest.trim() };
}

function memoryIn(rest: string): Command | undefined {
  if (/^(?:list)?$/iu.test(rest)) return { name: 'memory list' };
  const [, number] = /^forget\s+(\d{1,6})$/iu.exec(rest) ?? [];
  return number === undefined ? undefined : { name: 'memory forget', number: Number(number) };
}

function changeIn(rest: string): ChangedChoices | undefined {
  if (rest === '') return {};
  const [, name = '', value = ''] = /^(language|zone|style)\s+(\S+)$/iu.exec(rest) ?? [];
  const given = value.toLowerCase() === unset ? undefined : value;
  switch (name.toLowerCase()) {
    case 'language':
      return { language: given };
    case 'zone':
      return { zone: given };
    case 'style': {
      const style = answerStyles.find((each) => each === value.toLowerCase());
      return given !== undefined && style === undefined ? undefined : { style };
    }
    default:
      return undefined;
  }
}
