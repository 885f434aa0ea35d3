import type { PlanStatusView } from '#features/services/services.contract.ts'

/** A snapshot of a service at noon on a given day. `outlook` is the plan status, or null once the service no longer exists. */
export type Day = {
  day: Temporal.PlainDate
  outlook: PlanStatusView | null
  /** The total amount that the gateway has captured, in cents. */
  captured: number
  plans: number
  isWorking: boolean
}

type Charge = { cents: number; at: Temporal.ZonedDateTime; isPaid: boolean }
type Message = { subject: string; text: string; at: Temporal.PlainDateTime }
export type Life = { days: Day[]; charges: Charge[]; messages: Message[] }

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Converts `'Sun 10 Jan'`, `'11 Jan 2027'` or `'today'` to a date. If the year is missing, it returns the date closest to the day of the
 * message.
 */
export function dayIn(words: string, said: Temporal.PlainDate): Temporal.PlainDate {
  if (/^(?:today|tonight)$/.test(words)) return said
  const [, day = '', month = '', year] = /(\d{1,2}) (\w{3})(?: (\d{4}))?$/.exec(words) ?? []
  if (!months.includes(month)) throw new Error(`“${words}” is no day`)
  const years = year ? [Number(year)] : [said.year - 1, said.year, said.year + 1]
  const fits = years.map((each) =>
    Temporal.PlainDate.from({ year: each, month: months.indexOf(month) + 1, day: Number(day) }),
  )
  const away = (each: Temporal.PlainDate) => Math.abs(said.until(each, { largestUnit: 'days' }).days)
  return fits.toSorted((a, b) => away(a) - away(b))[0]!
}

type Check = (match: RegExpExecArray, said: Day, life: Life) => boolean

const dayOf = (life: Life, day: Temporal.PlainDate): Day | undefined => life.days.find((each) => each.day.equals(day))
const checkPlanEndDate =
  (group = 1): Check =>
  ([...found], { day }, life) => {
    const end = dayIn(found[group]!, day)
    const [last, next] = [dayOf(life, end.subtract({ days: 1 })), dayOf(life, end)]
    return last?.isWorking !== false && next?.isWorking !== true
  }
const checkLastDay =
  (group = 1): Check =>
  ([...found], { day }, life) => {
    const last = dayIn(found[group]!, day)
    return dayOf(life, last)?.isWorking !== false && dayOf(life, last.add({ days: 1 }))?.isWorking !== true
  }
const checkContinuesFrom: Check = ([, words], { day }, life) => {
  const start = dayOf(life, dayIn(words!, day))
  return !start || start.isWorking
}
const checkNoLaterCharge: Check = (_, said, life) =>
  life.days.every(
    ({ day, captured, isWorking }) =>
      Temporal.PlainDate.compare(day, said.day) < 0 || !isWorking || captured === said.captured,
  )
const parseHour = (words: string): number => {
  const [, hour = '', half] = /^(\d+) (am|pm)$/.exec(words) ?? []
  return (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
}
const hasChargeAt = (life: Life, day: Temporal.PlainDate, hour: number, cents?: number): boolean =>
  dayOf(life, day) === undefined ||
  life.charges.some(
    (charge) =>
      charge.at.toPlainDate().equals(day) && charge.at.hour === hour && (cents === undefined || charge.cents === cents),
  )
const wasMailedOnDay = (life: Life, day: Temporal.PlainDate, subject: RegExp): boolean =>
  life.messages.some((each) => each.at.toPlainDate().equals(day) && subject.test(each.subject))
const yes: Check = () => true

const date = String.raw`(\d{1,2} \w{3} \d{4})`
const soon = String.raw`((?:\w{3} )?\d{1,2} \w{3}(?: \d{4})?|today)`
const statementChecks: readonly [RegExp, Check][] = [
  [RegExp(`^Plan expires on ${date}$`), checkPlanEndDate()],
  [RegExp(`^Plan expires on ${date}: data, calls and texts stop at midnight tonight$`), checkPlanEndDate()],
  [RegExp(`^Your last day is ${soon}$`), checkLastDay()],
  [/^Today is the last day of your plan$/, (_, { day }, life) => dayOf(life, day.add({ days: 1 }))?.isWorking !== true],
  [/^Nothing is charged unless you renew$/, checkNoLaterCharge],
  [/^(\d+) days left$/, ([, left], { day }, life) => dayOf(life, day.add({ days: Number(left) }))?.isWorking !== true],
  [RegExp(`^Renew today and the next plan starts on ${soon}: you lose nothing$`), checkPlanEndDate()],
  [/^We keep your number for 50 days$/, yes],

  [RegExp(`^Prepay Plan Expired on ${date}!$`), checkPlanEndDate()],
  [
    /^Your Phone Number will be reserved for 50 days past your Prepay Plan expiry$/,
    (_, { outlook, day }, life) => {
      const end = dayIn(/on (.*)!/.exec(outlook!.title)![1]!, day)
      const [kept, gone] = [dayOf(life, end.add({ days: 49 })), dayOf(life, end.add({ days: 50 }))]
      return kept?.outlook !== null && (gone === undefined || gone.outlook === null)
    },
  ],
  [
    RegExp(`^The last day to keep it is ${soon}$`),
    ([, words], { day }, life) => {
      const last = dayIn(words!, day)
      const gone = dayOf(life, last.add({ days: 1 }))
      return dayOf(life, last)?.outlook !== null && (gone === undefined || gone.outlook === null)
    },
  ],
  [/^Renew a Prepay Plan to keep your Phone Number$/, yes],

  [RegExp(`^Plan renews on ${date}$`), checkContinuesFrom],
  [
    RegExp(`^\\$(\\d+)\\.(\\d\\d) from Visa ending \\d{4}, charged at (\\d+ [ap]m) (?:on )?${soon}$`),
    ([, dollars, cents, hour, words], said, life) => {
      const day = dayIn(words!, said.day)
      const isRefused = life.charges.some((charge) => charge.at.toPlainDate().equals(day) && !charge.isPaid)
      const sum = Number(dollars) * 100 + Number(cents)
      const after = dayOf(life, day)
      return (
        hasChargeAt(life, day, parseHour(hour!), sum) &&
        (isRefused || after === undefined || after.captured - said.captured === sum)
      )
    },
  ],
  [
    RegExp(`^We’ll confirm the amount by email on ${soon}$`),
    ([, words], { day }, life) => {
      const mailDay = dayIn(words!, day)
      return dayOf(life, mailDay) === undefined || wasMailedOnDay(life, mailDay, /renews on/)
    },
  ],
  [
    /^We have emailed you the amount$/,
    (_, { day }, life) => [0, 1, 2, 3].some((ago) => wasMailedOnDay(life, day.subtract({ days: ago }), /renews on/)),
  ],

  [RegExp(`^Next plan starts on ${date}$`), checkContinuesFrom],
  [
    RegExp(`^5 GB, 30 days, paid on ${soon}$`),
    ([, words], { day }, life) =>
      life.charges.some(({ at, isPaid }) => isPaid && at.toPlainDate().equals(dayIn(words!, day))),
  ],
  [RegExp(`^It starts automatically when this plan expires on ${date}$`), checkContinuesFrom],
  [/^Auto-renewal continues after that plan$/, yes],

  [
    /^We couldn’t charge Visa ending \d{4}$/,
    (_, { day }, life) => life.charges.some(({ at, isPaid }) => !isPaid && at.toPlainDate().equals(day)),
  ],
  [
    /^You haven’t been charged$/,
    (_, { day, captured }, life) => dayOf(life, day.subtract({ days: 1 }))?.captured === captured,
  ],
  [
    /^We’ll try again at (\d+ [ap]m) today(?:, then at \d+ [ap]m today)*$/,
    ([, hour], { day }, life) => hasChargeAt(life, day, parseHour(hour!)),
  ],
  [
    RegExp(`^If (?:that fails|both fail), your plan expires on ${date}: today is its last day$`),
    ([, words], { day }) => dayIn(words!, day).equals(day.add({ days: 1 })),
  ],
]

const messageChecks: readonly [RegExp, (match: RegExpExecArray, at: Message, life: Life) => boolean][] = [
  [
    /\b(\d+) days left\b/,
    ([, left], { at }, life) => {
      const end = at.toPlainDate().add({ days: Number(left) })
      return dayOf(life, end)?.isWorking !== true && dayOf(life, end.subtract({ days: 1 }))?.isWorking !== false
    },
  ],
  [
    /\btoday is the last day\b/i,
    (_, { at }, life) => dayOf(life, at.toPlainDate().add({ days: 1 }))?.isWorking !== true,
  ],
  [
    /we will charge \$(\d+)\.(\d\d)/,
    ([, dollars, cents], { at }, life) =>
      life.charges.some(
        (charge) =>
          charge.cents === Number(dollars) * 100 + Number(cents) &&
          Temporal.PlainDateTime.compare(charge.at.toPlainDateTime(), at) > 0,
      ),
  ],
  [
    /You have not been charged/,
    (_, { at }, life) =>
      life.charges.some((charge) => !charge.isPaid && charge.at.toPlainDate().equals(at.toPlainDate())),
  ],
]

export function findFalseStatements(life: Life): string[] {
  const falsePageSentences = life.days.flatMap((said) => {
    if (!said.outlook) return []
    const { title, text } = said.outlook
    const sentences = [title, ...text.replaceAll('**', '').split(/(?<=\.)[ \n]/)].map((each) => each.replace(/\.$/, ''))
    return sentences.flatMap((sentence) => {
      const known = statementChecks.find(([pattern]) => pattern.test(sentence))
      if (known && known[1](known[0].exec(sentence)!, said, life)) return []
      return [`${said.day.toString()}: ${sentence}${known ? '' : ' (the check does not know this sentence)'}`]
    })
  })
  const falseMessageSentences = life.messages.flatMap((message) =>
    messageChecks.flatMap(([pattern, holds]) => {
      const text = `${message.subject} ${message.text}`.replaceAll(/\s+/g, ' ')
      const match = pattern.exec(text)
      return !match || holds(match, message, life)
        ? []
        : [`${message.at.toString()}: ${match[0]} (in “${message.subject}”)`]
    }),
  )
  return [...falsePageSentences, ...falseMessageSentences]
}
