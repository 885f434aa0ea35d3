import type { FastifyInstance } from 'fastify'
import { audit } from '#kit/server/audit.ts'
import { endTask, listOpenTasks } from '#features/orders/server/operator-tasks.store.ts'
import type { Deps } from '../deps.ts'
import { actorOf, isUuid } from './request.ts'

export type TaskView = { id: string; order_code: string; reason: string; created: string }

export function taskRoutes(app: FastifyInstance, { db, clock }: Deps): void {
  app.get('/tasks', async (): Promise<TaskView[]> =>
    (await listOpenTasks(db)).map(({ id, order_code, reason, created_at }) => ({
      id,
      order_code,
      reason,
      created: created_at.toISOString(),
    })),
  )
  app.post<{ Params: { id: string } }>('/tasks/:id/done', async (request, reply) => {
    const { id } = request.params
    if (!isUuid(id) || !(await endTask(db, id))) return reply.status(404).send({ why: 'There is no such open task.' })
    await audit(db, clock, { event: 'operator_task_done', actor: actorOf(request), details: { task: id } })
    return {}
  })
}
