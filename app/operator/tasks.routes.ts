import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { formatActor } from '#kit/server/actor.ts'
import { audit } from '#kit/server/audit.ts'
import { transact } from '#kit/server/db.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { endTask, taskKinds } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { type ListedTask, listTasks } from '#desk/features/today/server/tasks.view.ts'
import type { Deps } from '../deps.ts'
import { getRequestActor } from './request.ts'

export type TaskView = ReturnType<typeof presentTask>

const completionSchema = v.object({ note: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500))) })

const maxTasks = 1_000

export function taskRoutes(app: FastifyInstance, { db, clock }: Deps): void {
  app.get<{ Querystring: { kind?: string } }>('/tasks', async ({ query: { kind: wanted } }, reply) => {
    const kind = taskKinds.find((known) => known === wanted)
    if (wanted !== undefined && !kind)
      return reply.status(400).send({ why: `--kind must be one of ${taskKinds.join(', ')}.` })
    return (await listTasks(db, { isLead: true, kind, limit: maxTasks })).map(presentTask)
  })
  app.post<{ Params: { id: string } }>('/tasks/:id/done', async (request, reply) => {
    const { id } = request.params
    const parsed = v.safeParse(completionSchema, request.body ?? {})
    if (!parsed.success) return reply.status(400).send({ why: 'A note can have at most 500 characters.' })
    const actor = getRequestActor(request)
    const by = { name: formatActor(actor) ?? '', note: parsed.output.note ?? null }
    const isEnded = await transact(db, async (trx) => {
      if (!isUuid(id) || !(await endTask(trx, id, by))) return false
      await audit(trx, clock, { event: 'operator_task_done', actor, details: { task: id } })
      return true
    })
    return isEnded ? {} : reply.status(404).send({ why: 'There is no open task with this ID.' })
  })
}

const presentTask = ({ id, kind, order_code, subject, reason, created_at, due_at }: ListedTask) => ({
  id,
  kind,
  order_code,
  subject,
  reason,
  created: created_at.toISOString(),
  due: due_at?.toISOString() ?? null,
})
