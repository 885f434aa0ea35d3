import { type Db, transact } from '#kit/server/db.ts'
import type { Upkeep } from '#kit/server/sweeps.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { listOpenAlerts } from '#features/operator-tasks/server/lead-tasks.store.ts'
import { mailAccessAlert, type StaffMailDeps } from '#desk/features/staff/server/staff.mail.ts'
import { findActiveLeads } from '#desk/features/staff/server/staff.store.ts'

type AlertMailDeps = StaffMailDeps & { db: Db; thresholds: Pick<Thresholds, 'lookMs'> }

/**
 * Emails each access alert to every team lead except the person it concerns. If there is no such team lead, emails the
 * operator's address instead. Each email has an event key in the outbox, so running this again emails nobody twice.
 */
async function emailAlerts(deps: AlertMailDeps): Promise<void> {
  const alerts = await listOpenAlerts(deps.db)
  if (alerts.length === 0) return
  const leads = await findActiveLeads(deps.db)
  for (const { id, concernedId } of alerts) {
    const otherLeads = leads.filter((lead) => lead.id !== concernedId).map(({ email }) => email)
    const recipients = otherLeads.length > 0 ? otherLeads : [deps.operatorMail].filter((email) => email !== null)
    await transact(deps.db, async (trx) => {
      for (const to of recipients) await mailAccessAlert(trx, deps, { taskId: id, to })
    })
  }
}

export const alertMailUpkeep = (deps: AlertMailDeps): Upkeep => ({
  name: 'desk.alerts.mail',
  everyMs: deps.thresholds.lookMs,
  run: () => emailAlerts(deps),
})
