/** Starts the fake platform's process, and what a test asks of it. */
import { startProgram } from '../processes.ts';
import type { Effect, Fault, PlatformRules, PlatformState, PutFile, ShownMessage } from './platform-calls.ts';
import { control } from './surface-client.ts';

export interface Platform {
  readonly url: string;
  state(): Promise<PlatformState>;
  /** What can be read in a place now, in order; traces are left out unless asked for. */
  shown(place: string): Promise<readonly ShownMessage[]>;
  effects(): Promise<readonly Effect[]>;
  /** Puts a file there; returns its address. */
  putFile(file: PutFile): Promise<string>;
  /** How often a file was asked for. */
  fetches(id: string): Promise<number>;
  fault(fault: Fault): Promise<void>;
  rules(rules: Partial<PlatformRules>): Promise<void>;
  /** A person deletes one of the bot's messages, or the whole place. */
  deleteMessage(id: string): Promise<void>;
  closeMessage(id: string): Promise<void>;
  endStream(id: string): Promise<void>;
  deletePlace(place: string): Promise<void>;
  close(): Promise<void>;
}

export async function startPlatform(rules: Partial<PlatformRules> = {}): Promise<Platform> {
  const child = await startProgram(new URL('platform-program.ts', import.meta.url));
  const url = await child.line('http://');
  const state = async () => (await (await fetch(`${url}/state`)).json()) as PlatformState;
  await control(url, { control: 'rules', rules });
  return {
    url,
    state,
    async shown(place) {
      const { messages } = await state();
      return messages.filter((message) => message.place === place && !message.isDeleted);
    },
    effects: async () => (await state()).effects,
    async putFile(file) {
      await control(url, { control: 'put_file', file });
      return `${url}/files/${file.id}`;
    },
    fetches: async (id) => (await state()).fetched.filter((each) => each === id).length,
    fault: (fault) => control(url, { control: 'fault', fault }),
    rules: (changed) => control(url, { control: 'rules', rules: changed }),
    deleteMessage: (id) => control(url, { control: 'delete_message', id }),
    closeMessage: (id) => control(url, { control: 'close_message', id }),
    endStream: (id) => control(url, { control: 'end_stream', id }),
    deletePlace: (place) => control(url, { control: 'delete_place', place }),
    close: () => child.kill(),
  };
}
