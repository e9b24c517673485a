/** How people of each language say that something comes again and again. Patterns are for text in small letters. */
import type { TimeLanguage } from './phrases.ts';

export interface RepeatWords {
  /** `n` and `unit`, whose beginning names one of `units`. */
  readonly interval: RegExp;
  readonly units: Readonly<Record<string, number>>;
  readonly day: RegExp;
  readonly workday: RegExp;
  readonly weekend: RegExp;
  /** "Every other", before a day or weekday. */
  readonly other: RegExp;
  /** Before names of weekdays. */
  readonly every: RegExp;
  /** Between names of weekdays. */
  readonly and: string;
  /** Sunday first. */
  readonly weekdays: readonly string[];
  /** Each with its place: 1 to 4, or `L` for the last. `@` stands where the weekday does. */
  readonly ofMonth: readonly (readonly [pattern: string, place: string])[];
  /** `n`: the day of every month. */
  readonly monthly: readonly RegExp[];
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export const repeatWords: Readonly<Record<TimeLanguage, RepeatWords>> = {
  en: {
    interval:
      /^every\s+(?:(?<n>\d{1,5})\s+)?(?<unit>seconds?|minutes?|hours?|days(?=\s*$)|weeks?(?=\s*$))\s*$/u,
    units: { second, minute, hour, day, week: 7 * day },
    day: /\b(?:every ?day|each day|daily)\b/u,
    workday: /\b(?:every|each|on) (?:week|work|working )days?\b/u,
    weekend: /\b(?:every|on) weekends?\b|\bat the weekend\b/u,
    other: /\b(?:every (?:other|second|2nd)|biweekly on|fortnightly on)\b(?:\s+day\b)?/u,
    every: /\b(?:every|each|on)/u,
    and: 'and|&',
    weekdays: ['sundays?', 'mondays?', 'tuesdays?', 'wednesdays?', 'thursdays?', 'fridays?', 'saturdays?'],
    ofMonth: [
      ['(?:on )?(?:the |every )?last @ (?:of|in) (?:the|every|each) month', 'L'],
      ['(?:on )?(?:the |every )?(?:first|1st) @ (?:of|in) (?:the|every|each) month', '1'],
      ['(?:on )?(?:the |every )?(?:second|2nd) @ (?:of|in) (?:the|every|each) month', '2'],
      ['(?:on )?(?:the |every )?(?:third|3rd) @ (?:of|in) (?:the|every|each) month', '3'],
      ['(?:on )?(?:the |every )?(?:fourth|4th) @ (?:of|in) (?:the|every|each) month', '4'],
    ],
    monthly: [
      /\b(?:on )?(?:the )?(?<n>\d{1,2})(?:st|nd|rd|th)? of (?:every|each) month\b/u,
      /\bevery month on the (?<n>\d{1,2})(?:st|nd|rd|th)?\b/u,
    ],
  },
  de: {
    interval:
      /^(?:alle|jede[nrs]?)\s+(?:(?<n>\d{1,5})\s+)?(?<unit>sekunden?|minuten?|stunden?|tage|wochen?)\s*$/u,
    units: { sekunde: second, minute, stunde: hour, tag: day, woche: 7 * day },
    day: /\b(?:jeden tag|täglich)(?!\p{L})/u,
    workday: /\b(?:jeden (?:werktag|wochentag|arbeitstag)|werktags|wochentags|an werktagen)(?!\p{L})/u,
    weekend: /\b(?:jedes wochenende|am wochenende|an wochenenden)(?!\p{L})/u,
    other: /\bjede[nrs]? (?:zweiten?|2\.)(?:\s+tag(?!\p{L}))?/u,
    every: /\b(?:jeden?|immer|an)/u,
    and: 'und',
    weekdays: [
      'sonntags?',
      'montags?',
      'dienstags?',
      'mittwochs?',
      'donnerstags?',
      'freitags?',
      'samstags?|sonnabends?',
    ],
    ofMonth: [
      ['(?:am |jeden )?letzten @ (?:im|des|in jedem|jedes) monats?', 'L'],
      ['(?:am |jeden )?(?:ersten|1\\.) @ (?:im|des|in jedem|jedes) monats?', '1'],
      ['(?:am |jeden )?(?:zweiten|2\\.) @ (?:im|des|in jedem|jedes) monats?', '2'],
      ['(?:am |jeden )?(?:dritten|3\\.) @ (?:im|des|in jedem|jedes) monats?', '3'],
      ['(?:am |jeden )?(?:vierten|4\\.) @ (?:im|des|in jedem|jedes) monats?', '4'],
    ],
    monthly: [/\bam (?<n>\d{1,2})\. (?:jedes|jeden|eines jeden) monats?(?!\p{L})/u],
  },
  zh: {
    interval: /^每隔?(?<n>\d{0,5})[个個]?(?<unit>秒|分|小时|小時|天(?=$)|周(?=$)|星期(?=$))[钟鐘]?$/u,
    units: { 秒: second, 分: minute, 小时: hour, 小時: hour, 天: day, 周: 7 * day, 星期: 7 * day },
    day: /每[天日]/u,
    workday: /每?个?工作日/u,
    weekend: /每个?周末/u,
    other: /每隔一(?:个)?(?:天|周的?|星期的?)(?=)/u,
    every: /每个?/u,
    and: '和|、|与',
    weekdays: [
      '(?:周|星期|礼拜)[日天]',
      '(?:周|星期|礼拜)一',
      '(?:周|星期|礼拜)二',
      '(?:周|星期|礼拜)三',
      '(?:周|星期|礼拜)四',
      '(?:周|星期|礼拜)五',
      '(?:周|星期|礼拜)六',
    ],
    ofMonth: [
      ['每个?月的?最后一个@', 'L'],
      ['每个?月的?第一个@', '1'],
      ['每个?月的?第二个@', '2'],
      ['每个?月的?第三个@', '3'],
      ['每个?月的?第四个@', '4'],
    ],
    monthly: [/每个?月的?(?<n>\d{1,2})[号日]/u],
  },
  es: {
    interval: /^cada\s+(?:(?<n>\d{1,5})\s+)?(?<unit>segundos?|minutos?|horas?|días|semanas?)\s*$/u,
    units: { segundo: second, minuto: minute, hora: hour, día: day, semana: 7 * day },
    day: /\b(?:cada día|todos los días|a diario|diariamente)(?!\p{L})/u,
    workday:
      /\b(?:cada día (?:laborable|hábil)|(?:todos )?los días (?:laborables|hábiles)|de lunes a viernes|entre semana)(?!\p{L})/u,
    weekend: /\b(?:cada fin de semana|los fines de semana)(?!\p{L})/u,
    other:
      /\b(?:cada (?:dos|2)(?: semanas (?:el|los))?|un|uno)(?=\s+(?:días|domingo|lunes|martes|miércoles|jueves|viernes|sábado))(?:\s+días(?=\s))?/u,
    every: /\b(?:cada|todos los|los)/u,
    and: 'y',
    weekdays: ['domingos?', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábados?'],
    ofMonth: [
      ['(?:el |cada )?último @ (?:de|del|de cada) mes', 'L'],
      ['(?:el |cada )?primer @ (?:de|del|de cada) mes', '1'],
      ['(?:el |cada )?segundo @ (?:de|del|de cada) mes', '2'],
      ['(?:el |cada )?tercer @ (?:de|del|de cada) mes', '3'],
      ['(?:el |cada )?cuarto @ (?:de|del|de cada) mes', '4'],
    ],
    monthly: [/\bel (?:día )?(?<n>\d{1,2}) de cada mes(?!\p{L})/u],
  },
  fr: {
    interval:
      /^toute?s les\s+(?:(?<n>\d{1,5})\s+)?(?<unit>secondes?|minutes?|heures?|jours(?=\s*$)(?<=\d\s+jours)|semaines?)\s*$/u,
    units: { seconde: second, minute, heure: hour, jour: day, semaine: 7 * day },
    day: /\b(?:tous les jours|chaque jour|quotidiennement)(?!\p{L})/u,
    workday:
      /\b(?:(?:tous )?les jours (?:ouvrés|ouvrables|de semaine)|chaque jour (?:ouvré|ouvrable)|du lundi au vendredi|en semaine)(?!\p{L})/u,
    weekend: /\b(?:(?:tous )?les week-?ends|chaque week-?end)(?!\p{L})/u,
    other:
      /\b(?:un jour sur deux|une semaine sur deux(?: le)?|tous les deux (?=lundis|mardis|mercredis|jeudis|vendredis|samedis|dimanches))/u,
    every: /\b(?:chaque|tous les|les)/u,
    and: 'et',
    weekdays: ['dimanches?', 'lundis?', 'mardis?', 'mercredis?', 'jeudis?', 'vendredis?', 'samedis?'],
    ofMonth: [
      ['(?:le |chaque )?dernier @ (?:du|de chaque) mois', 'L'],
      ['(?:le |chaque )?premier @ (?:du|de chaque) mois', '1'],
      ['(?:le |chaque )?(?:deuxième|2e) @ (?:du|de chaque) mois', '2'],
      ['(?:le |chaque )?(?:troisième|3e) @ (?:du|de chaque) mois', '3'],
      ['(?:le |chaque )?(?:quatrième|4e) @ (?:du|de chaque) mois', '4'],
    ],
    monthly: [/\ble (?<n>\d{1,2})(?:er)? (?:de chaque|du) mois(?!\p{L})/u],
  },
  ja: {
    interval: /^(?:毎(?=[秒分時]))?(?<n>\d{0,5})(?<unit>秒|分|時間|日|週間)(?:ごと|毎|おき)に?$/u,
    units: { 秒: second, 分: minute, 時間: hour, 日: day, 週間: 7 * day },
    day: /毎[日朝晩]/u,
    workday: /(?:毎)?平日(?:に|は|の)?/u,
    weekend: /毎?週末(?:に|は|の)?/u,
    other: /(?:隔週の?|1?日おきに?|一日おきに?)/u,
    every: /毎週の?/u,
    and: 'と|、|・',
    weekdays: ['日曜日?', '月曜日?', '火曜日?', '水曜日?', '木曜日?', '金曜日?', '土曜日?'],
    ofMonth: [
      ['毎月の?最後の@', 'L'],
      ['毎月の?最終@', 'L'],
      ['毎月の?第[1一]@', '1'],
      ['毎月の?第[2二]@', '2'],
      ['毎月の?第[3三]@', '3'],
      ['毎月の?第[4四]@', '4'],
    ],
    monthly: [/毎月の?(?<n>\d{1,2})日/u],
  },
};
