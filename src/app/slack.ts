/** Slack as a gateway uses it: it hears, and answers what a person alone is told. */
import { type RunningSlack, startSlackGateway } from '../adapters/slack/gateway.ts';
import { slackGroups } from '../adapters/slack/groups.ts';
import { installationStore } from '../adapters/slack/installation-store.ts';
import { Marks } from '../adapters/slack/marks.ts';
import { slackPeople } from '../adapters/slack/people.ts';
import { surfaceName } from '../adapters/slack/place.ts';
import { neededScopes } from '../adapters/slack/scopes.ts';
import { answerCommand } from '../commands/answer-command.ts';
import { readCommandLine } from '../commands/read-command-line.ts';
import { secretOf } from '../config/secret.ts';
import { Recent } from '../gateway/recent.ts';
import { acceptInbound } from '../intake/accept.ts';
import { castVote } from '../intake/cast-vote.ts';
import { changeInbound } from '../intake/change.ts';
import { isOn, refusalOf } from '../intake/policy.ts';
import type { Contact } from '../ports/contact.ts';
import { answerPress, formFor } from '../reminders/answer-press.ts';
import { messagesOfAnswer } from '../render/live-answer.ts';
import { redisCursor } from '../store/redis/cursors.ts';
import { redisDirects } from '../store/redis/directs.ts';
import { redisOnce } from '../store/redis/once.ts';
import { pastTraceLines } from '../turns/past-trace.ts';
import { type App, remindersOf } from './compose.ts';
import { type SlackMeans, slackAccess } from './slack-web.ts';

const nobody: Contact = { ok() {}, away() {} };
/** Of so many people it is not noted anew what Slack tells of them. */
const rememberedPeople = 10_000;

/** Rejects with one sentence for the operator when Slack will not have the bot. While it is away, trying goes on. */
export async function startSlack(app: App, { contact, tell }: SlackMeans): Promise<RunningSlack> {
  const { config, conversations, people, redis, clock, log } = app;
  const { slack, access } = config;
  const retentionS = config.retentionDays * 24 * 3_600;
  const accept = acceptInbound(app);
  // Over sockets these say whether it hears; over HTTP only calls tell that Slack is there.
  const { webFor, installations } = slackAccess(app, slack.appToken === undefined ? contact : nobody);
  const directory = slackPeople(webFor);
  const marks = new Marks({ webFor, log });
  const told = new Recent<string>(rememberedPeople);
  const commandMeans = { ...app, reminders: remindersOf(app), defaultZone: config.defaultZone };
  const gateway = await startSlackGateway({
    isSingle: slack.botToken !== undefined,
    appToken: slack.appToken,
    signingSecret: slack.signingSecret,
    installing:
      slack.client === undefined || installations === undefined
        ? undefined
        : {
            client: slack.client,
            stateSecret: secretOf(config.secret, config.dataFolder),
            scopes: neededScopes.map(({ scope }) => scope),
            store: installationStore(installations),
          },
    apiUrl: slack.apiUrl,
    webFor,
    people: directory,
    groupsOf: slackGroups({ webFor, named: [...access.allow.roles, ...access.deny.roles], clock, log }),
    followAllThreads: access.followAllThreads,
    accept,
    change: (change) => changeInbound(app, change),
    noted: ({ item }) => marks.noted(item.address, item.id),
    uninstalled: async (team) => {
      log.warn({ team }, 'Docent was taken out of a workspace of Slack');
      await installations?.remove(team);
    },
    noteProfile(person, { locale, zone }) {
      if (person === undefined || told.get(person) === `${locale} ${zone}`) return;
      told.set(person, `${locale} ${zone}`);
      people.noteProfile(person, { locale, platformZone: zone }).catch((error: unknown) => {
        told.delete(person);
        log.debug({ error }, 'the language and zone of a person are noted another time');
      });
    },
    isBusy: (conversation) => conversations.isBusy(conversation),
    ownerOf: (message) => conversations.ownerOf(message),
    pauseOf: (conversation) => conversations.pauseOf(conversation),
    journalOf: (conversation) => conversations.journalOf(conversation),
    spokenIn: (person) => conversations.spokenIn(surfaceName, person),
    messagesOf: (conversation, turn, slot) =>
      messagesOfAnswer(conversations.ledger(conversation, turn), slot),
    thinkingIn: pastTraceLines,
    vote: (ballot) => castVote(app, ballot),
    isAdmin: (person) => isOn(access.admins, person),
    mayUse: (person, from) => refusalOf(person, from, access) === undefined,
    answerCommand: (command, by, dialect) => answerCommand(command, by, dialect, commandMeans),
    answerPress: (press, by, dialect, form) => answerPress(press, by, dialect, commandMeans, form),
    formFor: (press, by, dialect) => formFor(press, by, dialect, commandMeans),
    readLine: readCommandLine,
    isFirst: redisOnce(redis.commands),
    cursor: redisCursor(redis.commands, surfaceName, retentionS),
    places: redisDirects(redis.commands, clock, surfaceName, retentionS),
    catchUpMaxAgeMs: config.catchUpMaxAgeMs,
    contact,
    clock,
    log,
    tell,
  });
  return {
    listener: gateway.listener,
    async close() {
      await gateway.close();
      await accept.settled();
    },
  };
}
