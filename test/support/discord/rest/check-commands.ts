/** Application commands as Discord takes them: names, texts in every language, options, counts. */
import { Locale } from 'discord-api-types/v10';
import { rules } from '../rules.ts';
import type { Json } from './check-components.ts';
import { Form, refusal } from './refusal.ts';

const locales: ReadonlySet<string> = new Set(Object.values(Locale));
const slashName = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const typeOf = (command: Json): number => Number(command['type'] ?? 1);

/** All commands of one scope at once. Throws when Discord would refuse any of them. */
export function checkCommands(commands: readonly Json[]): void {
  const form = new Form();
  const names = new Set<string>();
  commands.forEach((command, position) => {
    checkCommand(command, String(position), form);
    const name = `${typeOf(command)} ${String(command['name'])}`;
    form.expect(!names.has(name), `${position}.name`, 'command_name_twice');
    names.add(name);
  });
  form.done();
  const count = (type: number) => commands.filter((command) => typeOf(command) === type).length;
  if (count(1) > rules.slash_commands.max) throw refusal('slash_commands');
  if (Math.max(count(2), count(3)) > rules.menu_commands.max) throw refusal('menu_commands');
}

function checkCommand(command: Json, path: string, form: Form): void {
  const isSlash = typeOf(command) === 1;
  checkName(command, path, form, isSlash);
  if (isSlash) checkDescription(command, path, form);
  else form.expect((command['description'] ?? '') === '', `${path}.description`, 'command_description');
  checkOptions(command, path, form);
  form.expect(lengthOf(command) <= rules.command_length.max, path, 'command_length');
}

function checkName(item: Json, path: string, form: Form, isSlash: boolean): void {
  const isName = (value: unknown) =>
    typeof value === 'string' &&
    (isSlash
      ? slashName.test(value) && value === value.toLowerCase()
      : value !== '' && [...value].length <= 32);
  form.expect(isName(item['name']), `${path}.name`, 'command_name');
  for (const [locale, name] of Object.entries((item['name_localizations'] ?? {}) as Json)) {
    const own = `${path}.name_localizations.${locale}`;
    form.expect(locales.has(locale), own, 'command_locale');
    form.expect(name === null || isName(name), own, 'command_name');
  }
}

function checkDescription(item: Json, path: string, form: Form): void {
  form.requiredText(item['description'], `${path}.description`, 'command_description');
  for (const [locale, text] of Object.entries((item['description_localizations'] ?? {}) as Json)) {
    const own = `${path}.description_localizations.${locale}`;
    form.expect(locales.has(locale), own, 'command_locale');
    form.text(text, own, 'command_description', 1);
  }
}

function checkOptions(item: Json, path: string, form: Form): void {
  const options = listOf(item['options']);
  form.expect(options.length <= rules.command_options.max, `${path}.options`, 'command_options');
  let wasOptional = false;
  options.forEach((option, position) => {
    const own = `${path}.options.${position}`;
    form.expect(Number(option['type']) >= 1 && Number(option['type']) <= 11, `${own}.type`, 'choices');
    checkName(option, own, form, true);
    checkDescription(option, own, form);
    const isRequired = option['required'] === true;
    form.expect(!isRequired || !wasOptional, own, 'command_required_first');
    if (!isRequired) wasOptional = true;
    const choices = listOf(option['choices']);
    form.expect(choices.length <= rules.command_choices.max, `${own}.choices`, 'command_choices');
    choices.forEach((choice, index) => {
      form.requiredText(choice['name'], `${own}.choices.${index}.name`, 'command_choice');
      if (option['type'] === 3)
        form.requiredText(choice['value'], `${own}.choices.${index}.value`, 'command_choice');
    });
    checkOptions(option, own, form);
  });
}

const sizeOf = (text: unknown): number => (typeof text === 'string' ? [...text].length : 0);

/** Name, description and values count, nested ones too; of localised texts the longest. */
function lengthOf(item: Json): number {
  const longest = (plain: unknown, localised: unknown) =>
    Math.max(...[plain, ...Object.values((localised ?? {}) as Json)].map((text) => sizeOf(text)));
  const inner = [...listOf(item['options']), ...listOf(item['choices'])].reduce(
    (sum, each) => sum + lengthOf(each),
    0,
  );
  const value = sizeOf(item['value']);
  return (
    longest(item['name'], item['name_localizations']) +
    longest(item['description'], item['description_localizations']) +
    value +
    inner
  );
}
