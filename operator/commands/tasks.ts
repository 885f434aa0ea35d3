import type { TaskView } from '#app/operator/tasks.routes.ts'
import { callAndShow, type Command, type CommandDesk, type Given } from '../command.ts'
import { refusedPayments, waveLines } from './refused-payments.ts'

export const taskCommands: Command[] = [
  {
    usage: 'tasks list',
    says: 'list open tasks, due first; with --kind only those of one kind',
    options: { kind: { type: 'string' } },
    run: (desk, { options }) => listTasks(desk, options),
  },
  {
    usage: 'tasks done ID',
    look: 'tasks list',
    says: 'close a task, with a --note of what was done',
    options: { note: { type: 'string' } },
    run: (desk, { names: [id = ''], options: { note } }) =>
      callAndShow(desk, ['POST', `/tasks/${id}/done`, { json: { note } }], () => ['Done.']),
  },
]

async function listTasks(desk: CommandDesk, { kind }: Given['options']): Promise<number> {
  const of = typeof kind === 'string' ? `?kind=${encodeURIComponent(kind)}` : ''
  const wave = waveLines(await refusedPayments(desk))
  return callAndShow(desk, ['GET', `/tasks${of}`], (tasks: TaskView[]) => [
    ...wave,
    ...(tasks.length === 0 ? ['No open tasks.'] : []),
    ...tasks.map(
      ({ id, order_code, subject, reason, created, due }) =>
        `${id}  ${created}  ${order_code ?? subject ?? ''}  ${reason}${due ? `  due ${due}` : ''}`,
    ),
  ])
}
