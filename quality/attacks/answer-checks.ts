import { stage } from './planted-weakness.ts'
import type { Answer, Request } from './send.ts'
import type { AttackContext } from './attack-context.ts'
import { cardNumber, mark, markup, typedPassword } from './malicious-texts.ts'

/** Returns null if a response is acceptable, and otherwise a description of what is wrong with it. */
export type AnswerCheck = (answer: Answer) => string | null

const describeAnswer = ({ status, body }: Answer): string => `${status} ${body.slice(0, 120)}`

export const expectRefusal: AnswerCheck = (answer) =>
  answer.status >= 400 && answer.status < 500 ? null : `was answered ${describeAnswer(answer)}`
export const expectStatus =
  (...codes: number[]): AnswerCheck =>
  (answer) =>
    codes.includes(answer.status) ? null : `was answered ${describeAnswer(answer)}, not ${codes.join(' or ')}`
export const acceptAnyAnswer: AnswerCheck = () => null

function hasReason({ status, body, headers }: Answer): boolean {
  if (status < 400 || !String(headers['content-type']).includes('json') || body === '') return true
  try {
    const said = Object.values(JSON.parse(body) as object)
    return (
      said.length > 0 && said.every((entry) => typeof entry === 'string' || (Array.isArray(entry) && entry.length > 0))
    )
  } catch {
    return false
  }
}

export function findResponseFaults({ cast, world }: AttackContext, request: Request, answer: Answer): string[] {
  const { body, headers } = answer
  const text = `${body}\n${JSON.stringify({ ...headers, 'set-cookie': '' })}`
  const own = /\bfantail=([\w-]{20,})/.exec(request.headers['cookie'] ?? '')?.[1]
  const isVictimSession = own !== undefined && cast.victim.visitor.cookie('fantail')?.startsWith(own)
  const location = String(headers['location'] ?? '/')
  return [
    ...(answer.status >= 500 ? [`was answered ${describeAnswer(answer)}`] : []),
    ...(hasReason(answer) ? [] : [`is refused without a word: ${describeAnswer(answer)}`]),
    // A successful API response may repeat the customer's own text, because browsers never render JSON as a page.
    ...((answer.status >= 400 || isHtml(answer) ? text : JSON.stringify(headers)).includes(markup)
      ? ['comes back as markup']
      : []),
    ...(answer.status >= 400 && body.includes(mark) && !isHtml(answer) ? ['comes back in the refusal'] : []),
    ...(JSON.stringify(headers['set-cookie'] ?? '').includes(mark) || headers[mark] !== undefined
      ? ['sets a header']
      : []),
    ...(new URL(location, world.url).origin === world.url ? [] : [`leads elsewhere: ${location}`]),
    ...listSecrets(cast)
      .filter((secret) => text.includes(secret))
      .map((secret) => `has a secret in its answer: ${secret.slice(0, 12)}…`),
    ...(own && text.includes(own) ? ['has the session’s token in its answer'] : []),
    ...(isVictimSession
      ? []
      : cast.private
          .filter((each) => text.includes(each) && !request.path.includes(each))
          .map((each) => `shows what is the victim’s: ${each}`)),
  ]
}

const isHtml = ({ headers }: Answer): boolean => String(headers['content-type']).includes('html')

const cardDigits = cardNumber.replaceAll(' ', '')

const listSecrets = (cast: AttackContext['cast']): string[] => [
  ...new Set([cardNumber, cardDigits, typedPassword, cast.mallory.password, cast.victim.password]),
  ...[cast.victim, cast.mallory].flatMap(({ visitor }) => visitor.cookie('fantail')?.split('.')[0] ?? []),
  cast.victim.links.reset.token,
  cast.victim.links.phone,
  cast.victim.links.address,
]

export function findSecretsInLog(cast: AttackContext['cast']): string[] {
  const lines = stage.log.splice(0).join('')
  return listSecrets(cast)
    .filter((secret) => lines.includes(secret))
    .map((secret) => `is in the log: ${secret.slice(0, 12)}…`)
}

export const findSecretsInRows = (
  cast: AttackContext['cast'],
  rows: readonly { table: string; row: string }[],
): string[] =>
  rows
    .filter(({ table }) => !['messages', 'demo_messages'].includes(table))
    .flatMap(({ table, row }) =>
      listSecrets(cast)
        .filter((secret) => row.includes(secret))
        .map((secret) => `is in the table ${table}: ${secret.slice(0, 12)}…`),
    )

export function findPrototypePollution(): string[] {
  const added = Object.keys(Object.prototype)
  for (const name of added) delete (Object.prototype as Record<string, unknown>)[name]
  return added.map((name) => `hung ${name} onto every object`)
}
