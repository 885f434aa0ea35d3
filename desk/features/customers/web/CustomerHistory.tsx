import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import type { DeskIconName } from '#kit/web/desk/DeskIcon.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Timeline, type TimelineEntry } from '#kit/web/desk/Timeline.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import {
  readCustomerHistory,
  type HistoryFilter,
  type HistoryPage,
  type HistoryEntry,
} from '../customer-history.contract.ts'
import type { CustomerAction } from './ActionDrawer.tsx'
import { historyFilterFromUrl, historyQuery } from './customers.queries.ts'
import { useCustomer } from './use-customer.ts'
import * as s from './customer.module.css'

const chips = [
  { value: 'all', text: 'All' },
  { value: 'money', text: 'Money' },
  { value: 'network', text: 'Network' },
  { value: 'messages', text: 'Messages' },
  { value: 'account', text: 'Account' },
  { value: 'staff', text: 'Staff' },
] as const

type Props = { id: string; onWish: (wish: CustomerAction) => void }

export function CustomerHistory({ id, first, onWish }: Props & { first: HistoryPage }) {
  const { path, search } = useRawLocation()
  const navigate = useNavigate()
  const of = historyFilterFromUrl(search)
  const chooseFilter = (chip: (typeof chips)[number]['value']) =>
    navigate(chip === 'all' ? path : `${path}?of=${chip}`, { replace: true })
  const historyFilterChips = (
    <ChipRow label="Filter by type" chips={chips} value={of ?? 'all'} onChange={chooseFilter} />
  )
  return (
    <Panel title="What happened" inset={false} action={historyFilterChips}>
      <div className={s.inside}>
        {of ? <FilteredHistory key={of} {...{ id, of, onWish }} /> : <HistoryPages {...{ id, of, first, onWish }} />}
      </div>
    </Panel>
  )
}

function FilteredHistory({ id, of, onWish }: Props & { of: HistoryFilter }) {
  const { data, error, refetch } = useQuery(historyQuery(useApi(), id, of))
  if (error && !data)
    return <Unavailable what="We couldn’t load the history." error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={8} />
  return <HistoryPages {...{ id, of, onWish }} first={data} />
}

/** Later pages continue from a particular first page. When an action refreshes the first page, the later pages are dropped. */
function HistoryPages({ id, of, onWish, first }: Props & { of: HistoryFilter | null; first: HistoryPage }) {
  const [more, setMore] = useState<HistoryPage & { after: HistoryPage }>({ after: first, rows: [], next: first.next })
  const isCurrentPage = more.after === first
  const { rows, next } = isCurrentPage ? more : { rows: [], next: first.next }
  const { call } = useCustomer(id)
  const isSupport = hasRole(useMe(), ['support'])
  const loadMoreMutation = useMutation({
    mutationFn: () =>
      call((api) =>
        api.call(readCustomerHistory, { params: { id }, query: { ...(of && { of }), before: next ?? '' } }),
      ),
    onSuccess: (page) => setMore({ after: first, rows: [...rows, ...page.rows], next: page.next }),
  })
  return (
    <Timeline
      entries={[...first.rows, ...rows].map((row, index) => toTimelineEntry(row, index, { onWish, isSupport }))}
      empty={of ? 'No entries of this type.' : 'No entries yet.'}
      more={
        next !== null && (
          <>
            <DenseButton
              aria-busy={loadMoreMutation.isPending || undefined}
              onClick={() => void (loadMoreMutation.isPending || loadMoreMutation.mutate())}
            >
              {loadMoreMutation.isPending ? 'Loading' : 'Show older'}
            </DenseButton>
            <ErrorBanner error={loadMoreMutation.error} />
          </>
        )
      }
    />
  )
}

const icons: Record<HistoryEntry['icon'], DeskIconName> = {
  order: 'receipt',
  money: 'card',
  dispute: 'warn',
  number: 'sim',
  transfer: 'swap',
  mail: 'mail',
  text: 'phone',
  account: 'user',
  staff: 'shield',
  look: 'eye',
}

type EntryOptions = { onWish: (wish: CustomerAction) => void; isSupport: boolean }

function toTimelineEntry(row: HistoryEntry, index: number, { onWish, isSupport }: EntryOptions): TimelineEntry {
  const { at, icon, tone, title, detail, by, why, order_code: code, port, message, is_sent_as_copy: isSentAsCopy } = row
  return {
    key: `${at} ${index}`,
    at,
    icon: icons[icon],
    tone,
    text: title,
    detail: [detail, by, why].filter(Boolean).join(' · '),
    ...(port && isSupport && { link: { href: `/ports/${port}/`, text: 'Port' } }),
    ...(code && { link: { href: `/orders/${code}/`, text: code } }),
    ...(message && {
      action: (
        <DenseButton kind="word" small onClick={() => onWish({ act: isSentAsCopy ? 'copy' : 'again', message, title })}>
          Send again
        </DenseButton>
      ),
    }),
  }
}
