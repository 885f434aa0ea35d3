import { lookWords } from '#desk/features/customers/server/look-words.ts'
import { reasonName, reasonWords } from '#desk/features/staff/reasons.contract.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { roleNames, roles } from '#desk/features/staff/staff.contract.ts'
import type { Trail, TrailRow } from '../audit.contract.ts'
import { actInWords, lookInWords, narrowings } from './audit-words.ts'
import type { TrailEntry } from './audit.view.ts'

type People = { id: string; name: string }[]
type Read = { rows: TrailEntry[]; next: string | null; people: People }

/** The trail for one reader. An admin alone sees no customer: no name, no way there, and no words that colleagues wrote about one. */
export function presentTrail({ rows, next, people }: Read, reader: Pick<SignedInStaff, 'roles'>): Trail {
  const sees = seesCustomers(reader)
  return {
    rows: rows.map((row) => presentRow(row, people, sees)),
    next,
    people: people.map(({ id, name }) => ({ id, name })),
    acts: narrowings,
  }
}

export const trailColumns = ['when', 'kind', 'who', 'what', 'customer', 'about', 'why'] as const

/** The same as a row of a file: of a customer the id, for who may go to them. */
export function presentLine(entry: TrailEntry, people: People, reader: Pick<SignedInStaff, 'roles'>): string[] {
  const sees = seesCustomers(reader)
  const { at, who, what, why, subject } = presentRow(entry, people, sees)
  const { user_id: customer, of } = entry
  const about = subject?.text.startsWith('Customer') ? '' : (subject?.text ?? '')
  return [at, of, who, what, customer ? (sees ? customer : lastOf(customer)) : '', about, why]
}

const seesCustomers = ({ roles }: Pick<SignedInStaff, 'roles'>): boolean => roles.some((role) => role !== 'admin')

function presentRow(entry: TrailEntry, people: People, sees: boolean): TrailRow {
  const about = entry.of === 'acts' ? detailsIn(entry.details) : {}
  return {
    key: entry.key,
    at: entry.at.toISOString(),
    who: entry.who,
    what: entry.of === 'acts' ? actInWords(entry.what) : lookInWords(entry.what, entry.details),
    why:
      entry.of === 'acts'
        ? whyOf(entry, sees || isOfOurs(about))
        : lookWords(entry.reason, sees ? entry.details : null),
    subject: subjectOf(entry, about, { people, sees }),
  }
}

/** A code always, own words only for who may read them. */
function whyOf({ reason }: TrailEntry, isWhole: boolean): string {
  if (!reason) return ''
  if (isWhole) return reasonWords(reason)
  const code = reason.split(': ')[0] ?? ''
  return reasonName(code) ?? 'In their own words'
}

type About = Record<string, unknown>

/** About a colleague or what is for sale, and no customer. */
const isOfOurs = (about: About): boolean => ['person', 'version', 'draft', 'role'].some((name) => name in about)

function subjectOf(
  { of, what, user_id: userId, subject }: TrailEntry,
  about: About,
  { people, sees }: { people: People; sees: boolean },
): TrailRow['subject'] {
  const way = (path: string): string | null => (sees ? path : null)
  const named = people.find(({ id }) => id === about['person'] || (what === 'trail_seen' && id === subject))
  if (named) return { text: named.name, path: null }
  const role = roles.find((each) => each === about['role'])
  if (role) return { text: roleNames[role], path: null }
  const code = of === 'looks' && what === 'order_seen' ? subject : about['order']
  if (typeof code === 'string' && /^[0-9A-Z]{6,24}$/.test(code))
    return { text: `Order ${sees ? code : lastOf(code)}`, path: way(`/orders/${code}/`) }
  if (userId) return { text: `Customer ${lastOf(userId)}`, path: way(`/customers/${userId}/`) }
  return null
}

const lastOf = (id: string): string => `…${id.slice(-4)}`

/** Written by this product, of this version or another. */
function detailsIn(details: string | null): About {
  try {
    const read: unknown = JSON.parse(details ?? '{}')
    return typeof read === 'object' && read !== null ? (read as About) : {}
  } catch {
    return {}
  }
}
