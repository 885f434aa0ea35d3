import { sql } from 'kysely'
import { buildPath } from '#kit/contract/endpoint.ts'
import { createGrantHandlers } from '#desk/app/desk-routes.ts'
import { applyDueGrants } from '#desk/features/approvals/server/due-grants.ts'
import type { DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { StaffMember } from '#quality/support/staff-member.ts'
import type { World } from '#quality/support/world.ts'
import { fieldsOf, nameOf, paramsOf } from '../attack-context.ts'
import type { AttackLog } from '../attack-log.ts'

type Attack = {
  world: World
  routes: readonly DeskRoute[]
  attacker: StaffMember
  names: readonly StaffMember[]
  targets: readonly { id: string; email: string }[]
  tries: AttackLog
}

const kind = 'right by one person'

/**
 * Sends a request to every endpoint that changes data, as one person and with values that would grant a right. Then tries to approve every
 * pending request with each of that person's staff accounts. Any right that anybody gains this way is a finding.
 */
export async function attackWithOwnApprovals(attack: Attack): Promise<void> {
  const { world, routes, targets, tries } = attack
  for (const route of routes.filter(({ endpoint, who }) => endpoint.method !== 'GET' && who !== 'anyone'))
    for (const [turn, target] of targets.entries()) {
      const previousRights = await readStaffPermissions(world)
      tries.count(kind)
      await call(attack, route, { target, role: turn === 0 ? 'support' : 'finance' })
      await approveAll(attack)
      await applyDueGrants(world.deps, createGrantHandlers(world.deps))
      const gainedRights = [...(await readStaffPermissions(world))].filter((right) => !previousRights.has(right))
      if (gainedRights.length > 0)
        tries.find({ kind, call: nameOf(route.endpoint), what: target.email, fault: `gave ${gainedRights[0]}` })
      await world.db
        .updateTable('approvals')
        .set({ decision: 'lapsed', decided_at: new Date() })
        .where('decision', 'is', null)
        .execute()
    }
}

type GrantValues = { target: Attack['targets'][number]; role: 'support' | 'finance' }

async function call({ attacker, names, world }: Attack, { endpoint, who }: DeskRoute, { target, role }: GrantValues) {
  const { order_cents: order, day_cents: day } = await world.db
    .selectFrom('refund_limits')
    .select(['order_cents', 'day_cents'])
    .where('role', '=', role)
    .executeTakeFirstOrThrow()
  const wire = (cents: number): string => (cents / 100).toFixed(2)
  const valuesByField: Record<string, unknown> = {
    email: target.email,
    name: 'Kiri Pai',
    support: true,
    finance: true,
    admin: true,
    is_lead: true,
    order: wire(order + 100),
    day: wire(day + 100),
    was_order: wire(order),
    was_day: wire(day),
    reason: 'other',
    note: 'as they have asked for it',
    decision: 'approved',
    words: '',
  }
  const body = Object.fromEntries(listSchemaFields(endpoint.body).map((field) => [field, valuesByField[field] ?? '1']))
  const params = Object.fromEntries(paramsOf(endpoint).map((name) => [name, name === 'role' ? role : target.id]))
  const isAdminRoute = who === 'staff' || who.includes('admin')
  const caller = isAdminRoute ? attacker : (names[0] ?? attacker)
  await caller.visitor.post(buildPath(endpoint, params), body)
}

function listSchemaFields(schema: DeskRoute['endpoint']['body']): string[] {
  const [first] = schema && 'pipe' in schema ? (schema.pipe as (typeof schema)[]) : []
  return fieldsOf(first ?? schema)
}

async function approveAll({ attacker, names }: Attack): Promise<void> {
  for (const { visitor } of [attacker, ...names])
    for (const { id } of (await visitor.get('/api/desk/approvals/')).body.to_decide ?? [])
      await visitor.post(`/api/desk/approvals/${id}/decide/`, { decision: 'approved', words: '' })
}

async function readStaffPermissions({ db }: World): Promise<Set<string>> {
  const staff = await db.selectFrom('staff').selectAll().execute()
  const limits = await db.selectFrom('refund_limits').select(['role', 'order_cents', 'day_cents']).execute()
  const invitations = await db
    .selectFrom('staff_invitations')
    .select('id')
    .where('expires_at', '>', sql<Date>`now()`)
    .execute()
  return new Set([
    ...staff
      .filter(({ suspended_at: suspended }) => suspended === null)
      .flatMap(({ email, roles, is_lead: isLead }) => [
        `${email} access to the desk`,
        ...roles.split(',').map((role) => `${email} the role ${role}`),
        ...(isLead ? [`${email} a team lead’s rights`] : []),
      ]),
    ...limits.flatMap(({ role, order_cents, day_cents }) => [
      `${role} a refund limit of ${order_cents} cents per order`,
      `${role} a refund limit of ${day_cents} cents per day`,
    ]),
    ...invitations.map(({ id }) => `the invitation ${id}`),
  ])
}
