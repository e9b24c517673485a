/** Label or native: the setting, and what was learned about a model that cannot hold the label protocol. */
import type { Logger, ModelNotes } from '../ports/runtime.ts';

/** Turns closed for want of the protocol after which a model is switched. */
const failuresToSwitch = 2;
const rememberedMs = 24 * 60 * 60 * 1000;

export interface ProtocolChoice {
  for(model: string): Promise<'label' | 'native'>;
  /** A turn had to be closed because the model broke the protocol again and again. */
  couldNotHoldLabels(model: string): Promise<void>;
}

/** `service` is the base URL: the same model name elsewhere is another model. */
export function protocolChoice(
  setting: 'auto' | 'label' | 'native',
  service: string,
  notes: ModelNotes,
  log: Logger,
): ProtocolChoice {
  const key = (model: string) => `protocol:${service}:${model}`;
  const failures = async (model: string) => Number((await notes.get(key(model))) ?? 0);
  return {
    async for(model) {
      if (setting !== 'auto') return setting;
      return (await failures(model)) >= failuresToSwitch ? 'native' : 'label';
    },
    async couldNotHoldLabels(model) {
      const count = (await failures(model)) + 1;
      await notes.set(key(model), String(count), rememberedMs);
      if (setting === 'auto' && count >= failuresToSwitch) {
        log.warn(
          { model, service },
          'this model could not hold the label protocol in two turns: native for a day',
        );
      }
    },
  };
}
