import type { TaskView } from '#app/operator/tasks.routes.ts'
import { requestAndPrint, type Command, type CommandContext, type CommandArguments } from '../command.ts'
import { fetchRefusedPayments, formatDeclinedCardsWarning } from './refused-payments.ts'

export const taskCommands: Command[] = [
  {
    usage: 'tasks list',
    summary: 'list open tasks, due first; with --kind only those of one kind',
    options: { kind: { type: 'string' } },
    run: (context, { options }) => listTasks(context, options),
  },
  {
    usage: 'tasks done ID',
    checkCommand: 'tasks list',
    summary: 'close a task, with a --note of what was done',
    options: { note: { type: 'string' } },
    run: (context, { names: [id = ''], options: { note } }) =>
      requestAndPrint(context, ['POST', `/tasks/${id}/done`, { json: { note } }], () => ['Done.']),
  },
]

async function listTasks(context: CommandContext, { kind }: CommandArguments['options']): Promise<number> {
  const query = typeof kind === 'string' ? `?kind=${encodeURIComponent(kind)}` : ''
  const wave = formatDeclinedCardsWarning(context, await fetchRefusedPayments(context))
  return requestAndPrint(context, ['GET', `/tasks${query}`], (tasks: TaskView[]) => [
    ...wave,
    ...(tasks.length === 0 ? ['No open tasks.'] : []),
    ...tasks.map(
      ({ id, order_code, subject, reason, created, due }) =>
        `${id}  ${created}  ${order_code ?? subject ?? ''}  ${reason}${due ? `  due ${due}` : ''}`,
    ),
  ])
}
