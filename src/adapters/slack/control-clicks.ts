/** What is pressed below a message, shown and answered as Slack has it. */
import type { Controls, PressReply } from '../../domain/controls.ts';
import { ControlPress, type ControlPressMeans } from '../../gateway/control-press.ts';
import {
  controlBlocks,
  controlView,
  type PressedAt,
  readControlForm,
  readPressed,
} from './control-blocks.ts';
import { slackDialect } from './dialect.ts';
import type { Delivery } from './ingress.ts';
import { type OpenMeans, openView } from './open-view.ts';
import type { BlockActions, ViewSubmission } from './payloads.ts';
import { conversationAt } from './place.ts';
import { type Doing, type PressingMeans, pressOf } from './pressing.ts';
import type { Where } from './private-words.ts';
import { sendReply, shownAs } from './response-url.ts';

export interface ControlClicksMeans extends ControlPressMeans, PressingMeans, OpenMeans {}

/** Acknowledged before anything else: a press is not sent again, and whoever sees nothing happen presses again. */
export class ControlClicks {
  private readonly control: ControlPress;

  constructor(private readonly means: ControlClicksMeans) {
    this.control = new ControlPress(means);
  }

  /** False: it is none of these. */
  async take(click: BlockActions, ack: Delivery['ack']): Promise<boolean> {
    const [action] = click.actions;
    const read = action && readPressed(action);
    const at = pressedAt(click);
    if (action === undefined || read === undefined || at === undefined) return false;
    await ack();
    const { press, opensForm } = read;
    const id = `click:${action.action_ts ?? click.trigger_id ?? ''}`;
    const pressed = await this.pressed({ id, user: click.user }, at, press);
    if (pressed === undefined) return true;
    const where = whereOf(at, click.user.id);
    if (!opensForm) {
      await this.show(await this.control.answer(pressed), at, where);
      return true;
    }
    const form = await this.control.form(pressed);
    if ('fields' in form)
      await openView(this.means, click, where, controlView(form, at, pressed.by.address.locale));
    else await this.means.words.show(where, form.text);
    return true;
  }

  /** False: it is none of these. */
  async submit({ view, user }: ViewSubmission, ack: Delivery['ack']): Promise<boolean> {
    const filled = readControlForm(view);
    if (filled === undefined) return false;
    await ack();
    const { at, press, form } = filled;
    const pressed = await this.pressed({ id: `form:${view.id}:${view.hash ?? ''}`, user }, at, press);
    if (pressed !== undefined)
      await this.show(await this.control.answer({ ...pressed, form }), at, whereOf(at, user.id));
    return true;
  }

  /** Undefined: this person may not, and was told so. */
  private async pressed(doing: Pick<Doing, 'id' | 'user'>, at: PressedAt, press: string) {
    const by = await pressOf({ ...at, ...doing }, this.means);
    const refusal = this.control.refusal(by);
    if (refusal !== undefined) {
      await this.means.words.show(whereOf(at, doing.user.id), refusal);
      return undefined;
    }
    const conversation = conversationAt(placeOf(at));
    return { by, conversation, press, form: new Map<string, string>(), dialect: slackDialect };
  }

  private async show({ kind, text, controls }: PressReply, at: PressedAt, where: Where): Promise<void> {
    if (kind === 'tell') return this.means.words.show(where, text, blocksOf(controls));
    try {
      await this.replace(text, controls, at);
    } catch (error) {
      this.means.log.warn({ error }, 'a message whose button was pressed could not be changed');
      await this.means.words.show(where, text, blocksOf(controls));
    }
  }

  private async replace(
    text: string,
    controls: Controls | undefined,
    { team, channel, message, responseUrl }: PressedAt,
  ): Promise<void> {
    const reply = { text, blocks: blocksOf(controls), replaces: true } as const;
    if (message !== undefined) {
      const web = await this.means.webFor(team);
      await web('chat.update', { channel, ts: message, link_names: false, parse: 'none', ...shownAs(reply) });
    } else if (responseUrl !== undefined) await sendReply(responseUrl, reply);
    else throw new Error('Slack gave no address to reply to');
  }
}

/** Undefined: it was pressed in no message. */
function pressedAt(click: BlockActions): PressedAt | undefined {
  const { container, message, user } = click;
  // An organization that has the app as a whole does not name the workspace; its message does.
  const team = message?.team ?? click.team?.id ?? user.team_id;
  const channel = container?.channel_id ?? click.channel?.id;
  const ts = container?.message_ts;
  if (!team || channel === undefined || !ts) return undefined;
  const thread = message?.thread_ts ?? container?.thread_ts ?? ts;
  return {
    team,
    channel,
    // A message that began a thread stands in the channel.
    ...(thread !== ts && { thread }),
    ...(container?.is_ephemeral !== true && { message: ts }),
    ...(click.response_url != null && { responseUrl: click.response_url }),
  };
}

function placeOf({ team, channel, thread }: PressedAt) {
  return { team, channel, ...(thread !== undefined && { thread }) };
}

function whereOf({ team, channel, thread, responseUrl }: PressedAt, user: string): Where {
  return { team, channel, user, thread, responseUrl };
}

function blocksOf(controls: Controls | undefined) {
  return controls === undefined ? [] : controlBlocks(controls);
}
