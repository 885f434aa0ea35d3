import type { Db, Trx } from '#kit/server/db.ts'
import { countOpenTasks } from './operator-tasks.store.ts'

type MailedTasks = { open: string[]; ended: string[] }

const prefix = 'tasks:'

export const conditionOf = ({ open, ended }: MailedTasks): string => `${prefix}${open.join(',')};${ended.join(',')}`

export const isTasksCondition = (condition: string): boolean => condition.startsWith(prefix)

export function tasksInCondition(condition: string): MailedTasks {
  const [open = [], ended = []] = condition
    .slice(prefix.length)
    .split(';')
    .map((ids) => ids.split(',').filter((id) => id !== ''))
  return { open, ended }
}

export async function checkTasksCondition(db: Db | Trx, condition: string): Promise<string | null> {
  const { open } = tasksInCondition(condition)
  return (await countOpenTasks(db, open)) === open.length ? condition : null
}
