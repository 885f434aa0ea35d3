import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { useRefreshCounters } from '#desk/features/counters/web/counters.queries.ts'
import type { OpenTasks, Task, TaskList as ListName } from '../today.contract.ts'
import { TaskList } from './TaskList.tsx'
import { taskKindFromUrl, tasksQuery } from './today.queries.ts'
import * as s from './TaskRow.module.css'

const filtersByList: Record<ListName, (task: Task) => boolean> = {
  all: () => true,
  free: ({ owner }) => owner === null,
  mine: ({ owner }) => owner?.is_own === true,
}

const emptyMessages = {
  all: 'No open tasks.',
  free: 'Every task has an owner.',
  mine: 'You have no tasks.',
} as const

const initialTaskCount = 8

export function TasksPanel() {
  const kind = taskKindFromUrl(useRawLocation().search)
  const { data, error, refetch } = useQuery(tasksQuery(useApi(), kind))
  const refreshCounters = useRefreshCounters()
  const [list, setList] = useState<ListName>('all')
  const [isExpanded, setExpanded] = useState(false)
  const handleChange = () => {
    void refetch()
    refreshCounters()
  }
  const tasks = data?.tasks ?? []
  const countTasks = (name: ListName): number => tasks.filter(filtersByList[name]).length
  const listedTasks = tasks.filter(filtersByList[list])
  const shown = isExpanded ? listedTasks : listedTasks.slice(0, initialTaskCount)
  const hiddenTasks = listedTasks.slice(shown.length)
  const late = hiddenTasks.filter((task) => task.is_late).length
  return (
    <Panel
      title="Open tasks"
      inset={false}
      action={
        <div className={s.filters}>
          <KindFilter kind={kind} kinds={data?.kinds ?? []} />
          <ChipRow
            label="Filter tasks"
            value={list}
            onChange={setList}
            chips={[
              { value: 'all', text: 'All', count: countTasks('all') },
              { value: 'free', text: 'Unassigned', count: countTasks('free') },
              { value: 'mine', text: 'Mine', count: countTasks('mine') },
            ]}
          />
        </div>
      }
      foot={
        hiddenTasks.length > 0 ? (
          <>
            <button type="button" className={s.more} onClick={() => setExpanded(true)}>
              {hiddenTasks.length} more
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
      {data && listedTasks.length === 0 && (
        <p className={s.none}>{kind ? 'No open tasks match the filter.' : emptyMessages[list]}</p>
      )}
      {data && <TaskList tasks={shown} onChanged={handleChange} />}
    </Panel>
  )
}

/** Lists the kinds of which tasks are open. The kind in the URL stays selectable after its last task is done. */
function KindFilter({ kind, kinds }: { kind: string | null; kinds: OpenTasks['kinds'] }) {
  const navigate = useNavigate()
  const isListedKind = kinds.some((each) => each.kind === kind)
  return (
    <label className={s.kind}>
      <span className="visually-hidden">Type of task</span>
      <select
        value={kind ?? ''}
        onChange={({ currentTarget: { value } }) => navigate(value ? `/?${new URLSearchParams({ kind: value })}` : '/')}
      >
        <option value="">All types</option>
        {kind && !isListedKind && <option value={kind}>Selected type (0)</option>}
        {kinds.map((each) => (
          <option key={each.kind} value={each.kind}>
            {each.words} ({each.count})
          </option>
        ))}
      </select>
    </label>
  )
}
