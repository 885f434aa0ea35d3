import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { useWaitsChanged } from '#desk/features/waits/web/me.waits.ts'
import type { Task, TaskList } from '../today.contract.ts'
import { TaskRow } from './TaskRow.tsx'
import { tasksQuery } from './today.queries.ts'
import * as s from './TaskRow.module.css'

const isIn: Record<TaskList, (task: Task) => boolean> = {
  all: () => true,
  free: ({ owner }) => owner === null,
  mine: ({ owner }) => owner?.is_own === true,
}

const nothing = {
  all: 'No open tasks.',
  free: 'Every task has an owner.',
  mine: 'You have no tasks.',
} as const

const atFirst = 8

export function TasksPanel() {
  const { data, error, refetch } = useQuery(tasksQuery(useApi()))
  const countAnew = useWaitsChanged()
  const [list, choose] = useState<TaskList>('all')
  const [showsAll, showAll] = useState(false)
  const changed = () => {
    void refetch()
    countAnew()
  }
  const tasks = data?.tasks ?? []
  const countOf = (name: TaskList): number => tasks.filter(isIn[name]).length
  const those = tasks.filter(isIn[list])
  const shown = showsAll ? those : those.slice(0, atFirst)
  const hidden = those.slice(shown.length)
  const late = hidden.filter((task) => task.is_late).length
  return (
    <Panel
      title="Waits for a person"
      inset={false}
      action={
        <ChipRow
          label="Filter tasks"
          value={list}
          onChange={choose}
          chips={[
            { value: 'all', text: 'All', count: countOf('all') },
            { value: 'free', text: 'Unassigned', count: countOf('free') },
            { value: 'mine', text: 'Mine', count: countOf('mine') },
          ]}
        />
      }
      foot={
        hidden.length > 0 ? (
          <>
            <button type="button" className={s.more} onClick={() => showAll(true)}>
              {hidden.length} more
            </button>
            <span>, {late === 0 ? 'none' : late} of them overdue</span>
          </>
        ) : data?.has_more ? (
          'Showing the first 200. Handle some of these to see the rest.'
        ) : undefined
      }
    >
      {error && !data && (
        <Unavailable what="We couldn’t load the tasks." error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton lines={4} />}
      {data && those.length === 0 && <p className={s.none}>{nothing[list]}</p>}
      <ul className={s.tasks}>
        {shown.map((task) => (
          <TaskRow key={task.id} task={task} onChanged={changed} />
        ))}
      </ul>
    </Panel>
  )
}
