import { buildPath } from '#kit/contract/endpoint.ts'
import type { DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import type { World } from '#quality/support/world.ts'
import { takeRowChanges } from '../row-changes.ts'
import { fieldsOf, nameOf, paramsOf } from '../attack-context.ts'
import type { AttackLog } from '../attack-log.ts'

/** Tables that may change while the desk answers a GET, because the GET itself or a simultaneous request writes to them. */
const tablesWrittenByReads: Readonly<Record<string, string>> = {
  access_log: 'the record of the look',
  audit_events: 'a list that was taken out as a file',
  operator_tasks: 'an alarm for leads over the look',
  staff_sessions: 'a session was seen',
  look_checks: 'the first lead of a week has its random checks drawn for everybody',
  checked_looks: 'the same',
  usage_readings: 'a copy of what the network answered',
  provider_minutes: 'how providers answered, once a minute',
}

const grantParameters = ['why', 'reason', 'note', 'ticket', 'open', 'grant', 'approve', 'decision', 'act']
const accessReason = 'task'

type Attack = {
  world: World
  reads: readonly DeskRoute[]
  person: Visitor
  named: (path: string) => Record<string, string>
  secrets: readonly string[]
  tries: AttackLog
}
type Seen = { status: number; shown: string[] }

/**
 * Sends every GET that the desk serves, with reasons and grants in the query string. It is a finding if any table outside
 * `tablesWrittenByReads` changes, or if a GET returns more than it did before.
 */
export async function attackReadsWithReasons(attack: Attack): Promise<void> {
  const { world, reads, tries } = attack
  const kind = 'reason in the address'
  const initialStateByRoute = new Map<DeskRoute, Seen>()
  for (const read of reads) initialStateByRoute.set(read, await see(attack, read))
  await takeRowChanges(world)
  for (const read of reads) {
    for (const query of listQueryStrings(read)) {
      tries.count(kind)
      await see(attack, read, query)
      const changedRow = (await takeRowChanges(world)).find(({ table }) => !Object.hasOwn(tablesWrittenByReads, table))
      if (changedRow)
        tries.find({ kind, call: nameOf(read.endpoint), what: query, fault: `changed ${changedRow.table}` })
    }
  }
  for (const read of reads) {
    const [was, is] = [initialStateByRoute.get(read), await see(attack, read)]
    const more = is.shown.filter((secret) => !was?.shown.includes(secret))
    const fault =
      was?.status !== is.status ? `answers ${is.status} after ${was?.status}` : more.length > 0 && 'shows more'
    if (fault) tries.find({ kind, call: nameOf(read.endpoint), what: 'asked again', fault })
  }
}

function listQueryStrings({ endpoint }: DeskRoute): string[] {
  const fields = fieldsOf(endpoint.query)
  const unknownQuery = new URLSearchParams(
    grantParameters.filter((name) => !fields.includes(name)).map((name) => [name, accessReason]),
  )
  return ['', unknownQuery.toString(), ...fields.map((field) => `${field}=${accessReason}`)]
}

async function see({ person, named, secrets }: Attack, { endpoint }: DeskRoute, query = ''): Promise<Seen> {
  const known = named(endpoint.path)
  const params = Object.fromEntries(paramsOf(endpoint).map((name) => [name, known[name] ?? '']))
  const { status, body } = await person.get(`${buildPath(endpoint, params)}${query && `?${query}`}`)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status, shown: secrets.filter((secret) => text.includes(secret)) }
}
