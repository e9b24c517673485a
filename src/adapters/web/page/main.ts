/** The page: a list of conversations, one of them open, and where one writes. */
import {
  getForm,
  getTalks,
  getVotes,
  openDoor,
  sendAgain,
  sendAnswers,
  sendMessage,
  sendPress,
  sendStop,
  sendVote,
  type Talks,
  type Vote,
} from './api.ts';
import { Composer } from './composer.ts';
import { button, element } from './element.ts';
import { DroppedFiles } from './files.ts';
import { follow } from './follow.ts';
import { newId } from './new-id.ts';
import { ThreadView } from './thread-view.ts';
import { ToldView } from './told-view.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** The server is asked again this often whether it is there. Unit: milliseconds. */
const askAgainMs = 2_000;

const status = element('p', { class: 'status', role: 'status' });
let quiet: ReturnType<typeof setTimeout> | undefined;
/** A sentence for the person, or one a line, also read out; it goes after a while. */
function say(line: string): void {
  status.textContent = line;
  clearTimeout(quiet);
  quiet = setTimeout(() => (status.textContent = ''), 8_000);
}

void begin();

async function begin(): Promise<void> {
  for (;;) {
    try {
      const met = await meet();
      if (met === 'closed') showDoor();
      else if (met === 'no_cookies')
        showLine('This page needs cookies. Allow them for it, then load it again.');
      else showPage(met.person, met.talks);
      return;
    } catch {
      showLine('Docent does not answer. I keep trying …');
      await new Promise((resolve) => setTimeout(resolve, askAgainMs));
    }
  }
}

/** Who one is, and what one has talked about. Rejects when the server is away. */
async function meet(): Promise<Required<Talks> | 'closed' | 'no_cookies'> {
  // The first time there is only a cookie; tabs that are opened at the same time may each bring one.
  for (let tries = 0; tries < 2; tries++) {
    const talks = await getTalks();
    if (talks === undefined) return 'closed';
    if (talks.person !== undefined) return { ...talks, person: talks.person };
  }
  return 'no_cookies';
}

function showLine(text: string): void {
  document.body.replaceChildren(element('main', { class: 'door' }, element('p', { text })));
}

/** The page is open to nobody before its token was given. */
function showDoor(): void {
  const field = element('input', {
    type: 'password',
    id: 'token',
    autocomplete: 'current-password',
    required: true,
  });
  const problem = element('p', { role: 'alert' });
  const form = element(
    'form',
    {},
    element('label', { for: 'token', text: 'Token of this page' }),
    field,
    element('button', { type: 'submit', class: 'primary', text: 'Open' }),
    problem,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void openDoor(field.value).then((reply) => {
      if (reply.kind === 'ok') void begin();
      else problem.textContent = reply.problem;
    });
  });
  document.body.replaceChildren(element('main', { class: 'door' }, element('h1', { text: 'Docent' }), form));
  field.focus();
}

function showPage(person: string, first: Talks['talks']): void {
  let talks = first;
  let talk = '';
  let leave = () => {};
  let thread: ThreadView | undefined;

  const list = element('ul');
  const menu = button(
    'Conversations',
    { class: 'quiet menu', 'aria-expanded': 'false', 'aria-controls': 'side' },
    () => {
      const isOpen = document.body.classList.toggle('with-side');
      menu.setAttribute('aria-expanded', String(isOpen));
    },
  );
  const fresh = button('New', { class: 'new' }, () => (location.hash = newId()));
  const side = element('nav', { id: 'side', 'aria-label': 'Conversations' }, fresh, list);
  const scroller = element('div', {
    class: 'scroller',
    tabindex: '0',
    role: 'log',
    'aria-label': 'Conversation',
  });
  const connection = element('p', { class: 'connection', role: 'status' });
  const told = new ToldView();
  const files = new DroppedFiles(say);
  // A message whose reply was lost keeps its id when it is sent once more, so that it counts once.
  let tried = { message: '', id: '' };
  const composer = new Composer(
    {
      async send(text, dropped) {
        const message = JSON.stringify([talk, text, dropped]);
        if (tried.message !== message) tried = { message, id: newId() };
        // Who writes wants to see what follows.
        thread?.goToEnd();
        const reply = await sendMessage(talk, tried.id, text, dropped);
        if (reply.kind === 'ok') tried = { message: '', id: '' };
        if (reply.kind === 'problem') say(reply.problem);
        else if (reply.result === 'idle') say('Nothing is running.');
        else if (reply.result === 'told') told.show(reply.text, () => composer.focus());
        else if (reply.result === 'duplicate' || reply.result === 'queued') status.textContent = '';
        return reply.kind === 'ok';
      },
      stop() {
        const goOn = afterPress();
        void sendStop(talk).then((reply) => {
          goOn();
          if (reply.kind === 'problem') say(reply.problem);
          else if (reply.result === 'idle') say('Nothing is running.');
        });
      },
    },
    say,
    files,
  );
  const main = element(
    'main',
    {},
    element('header', {}, menu, element('h1', { text: 'Docent' })),
    scroller,
    connection,
    status,
    told.frame,
    composer.frame,
  );
  document.body.replaceChildren(side, main);
  document.addEventListener('keydown', closeMenu);
  files.acceptDropsOn(document.body);

  globalThis.addEventListener('hashchange', openTalk);
  openTalk();

  function closeMenu({ key }: KeyboardEvent): void {
    if (key !== 'Escape' || !document.body.classList.contains('with-side')) return;
    menu.click();
    menu.focus();
  }

  function openTalk(): void {
    const named = location.hash.slice(1);
    if (!uuid.test(named)) {
      // The page opens where one left off.
      history.replaceState(null, '', `#${talks[0]?.id ?? newId()}`);
      return openTalk();
    }
    if (named === talk) return;
    leave();
    talk = named;
    document.body.classList.remove('with-side');
    menu.setAttribute('aria-expanded', 'false');
    // Without them the buttons are only not shown as pressed.
    const votes = getVotes(talk).catch((): Readonly<Record<string, Vote>> => ({}));
    const view = new ThreadView(scroller, person, {
      say,
      async vote(answer, vote, reason) {
        const reply = await sendVote(talk, answer, vote, reason);
        const taken = vote === null ? 'Your vote is taken back.' : 'Thank you.';
        say(reply.kind === 'problem' ? reply.problem : taken);
        return reply.kind === 'ok';
      },
      voted: async (answer) => (await votes)[answer],
      again: (turn) =>
        void sendAgain(talk, turn).then((reply) => {
          if (reply.kind === 'problem') say(reply.problem);
          else if (reply.result === 'late') say('Something is running already.');
        }),
      controls: (message) => ({
        async press(press, form) {
          const reply = await sendPress(talk, message, press, form);
          if (reply.kind === 'problem') say(reply.problem);
          else if (reply.text !== '') say(reply.text);
          return reply.kind === 'ok' && reply.text === '';
        },
        async form(press) {
          const form = await getForm(talk, message, press).catch(() => 'The server does not answer.');
          if (typeof form !== 'string') return form;
          say(form);
          return undefined;
        },
      }),
      answer: (callId) => async (answers) => {
        const goOn = afterPress();
        const reply = await sendAnswers(talk, callId, answers);
        if (reply.kind === 'problem') say(reply.problem);
        else if (reply.result === 'late') say('This question is closed already.');
        else if (reply.result === 'not_yours') say('This question is for the person who asked.');
        const counts = reply.kind === 'ok' && reply.result !== 'not_yours';
        if (counts) goOn();
        return counts;
      },
    });
    thread = view;
    scroller.replaceChildren(welcome(), view.frame);
    showTalks();
    const unfollow = follow(talk, {
      onChange(shown) {
        const { messages, changed, isBusy } = shown;
        scroller.classList.toggle('is-new', messages.size === 0);
        view.show(shown);
        composer.isBusy = isBusy;
        if (changed.some((id) => messages.get(id)?.kind === 'user')) void updateTalks();
      },
      onConnection(isThere) {
        connection.textContent = isThere ? '' : 'The connection is gone. I keep trying …';
      },
    });
    leave = () => {
      unfollow();
      view.close();
    };
    composer.focus();
  }

  /** What was pressed goes away with its effect: who uses the keyboard goes on where one writes. */
  function afterPress(): () => void {
    const isByKeyboard = document.activeElement?.matches(':focus-visible') === true;
    return () => isByKeyboard && composer.focus();
  }

  async function updateTalks(): Promise<void> {
    const now = await getTalks().catch(() => undefined); // the list stays as it is
    if (now === undefined) return;
    talks = now.talks;
    showTalks();
  }

  function showTalks(): void {
    list.replaceChildren(
      ...talks.map(({ id, title }) => {
        const link = element('a', { href: `#${id}`, text: title, title });
        if (id === talk) link.setAttribute('aria-current', 'page');
        return element('li', {}, link);
      }),
    );
  }
}

function welcome(): HTMLElement {
  return element(
    'div',
    { class: 'welcome' },
    element('h2', { text: 'What are you working on?' }),
    element('p', { text: 'Ask a question, paste a task, or drop a file here.' }),
  );
}
