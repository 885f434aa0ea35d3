import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { KeyHint } from '#kit/web/desk/KeyHint.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { PortList, PortPage, PortRow } from '../ports.contract.ts'
import { PortFiguresPanels } from './PortFiguresPanels.tsx'
import { PortOwnerCell } from './PortOwnerCell.tsx'
import { providerHoursLabel, timeLeftLabel, openDurationLabel, reasonLabel } from './port.labels.ts'
import { type PortsFilter, portsFilterFromUrl, portsQuery } from './ports.queries.ts'
import { usePortOwnership } from './use-port-ownership.ts'
import { useReminder } from './use-reminder.ts'
import { useRowShortcuts } from './use-row-shortcuts.ts'
import * as s from './ports.module.css'

const lists: Record<PortList, { text: string; title: string; note: string; empty: string }> = {
  need: {
    text: 'Action needed',
    title: 'Action needed from us',
    note: 'failed and not requested again, late, or more details needed',
    empty: 'Nothing needs attention.',
  },
  customer: {
    text: 'With the customer',
    title: 'Waiting for the customer’s answer',
    note: 'oldest first',
    empty: 'No transfers are waiting for a customer.',
  },
  carrier: {
    text: 'With the carrier',
    title: 'With the carrier',
    note: 'oldest first',
    empty: 'No transfers are with the carrier.',
  },
  failed: {
    text: 'Failed, last 7 days',
    title: 'Failed or cancelled',
    note: 'newest first',
    empty: 'No failed transfers.',
  },
  done: { text: 'Done today', title: 'Done', note: 'newest first', empty: 'No transfers completed yet.' },
}
const names = Object.keys(lists) as PortList[]

export default function PortsPage() {
  const { market } = useBootstrap()
  const navigate = useNavigate()
  const filter = portsFilterFromUrl(useRawLocation().search)
  const { data, error, refetch } = useQuery(portsQuery(useApi(), filter))
  const chips = names.map((value) => ({ value, text: lists[value].text, ...(data && { count: data.counts[value] }) }))
  const { title, note } = lists[filter.of]
  return (
    <>
      <header className={s.head}>
        <h1>Ports</h1>
        {data && <p className="muted">{providerHoursLabel(data.looked_at_from, market)}</p>}
      </header>
      <ChipRow
        label="Filter transfers"
        chips={chips}
        value={filter.of}
        onChange={(of) => navigate(buildListPath({ of }))}
      />
      <Panel title={title} note={note} inset={false}>
        {error && !data && (
          <Unavailable what="We couldn’t load the number transfers." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={6} />}
        {data && <Ports page={data} place={filter} onChanged={() => void refetch()} />}
      </Panel>
      <PortFiguresPanels />
    </>
  )
}

const buildListPath = (query: { of: PortList; before?: string }): string =>
  query.of === 'need' && !query.before ? '/ports/' : `/ports/?${new URLSearchParams(query)}`

type PortsProps = { page: PortPage; place: PortsFilter; onChanged: () => void }

function Ports({ page, place: { of, before }, onChanged }: PortsProps) {
  const ownership = usePortOwnership(onChanged)
  const [message, setMessage] = useState<string | null>(null)
  const reminder = useReminder(onChanged, setMessage)
  useRowShortcuts(page.rows, { take: ownership.take, remind: reminder.remind })
  const columns = [
    { title: 'Number', isName: true, isShort: true },
    { title: 'From' },
    { title: 'Customer' },
    { title: 'Status' },
    { title: 'Details' },
    { title: isEndedList(of) ? 'Took' : 'Open for', isFigure: true },
    ...(of === 'done' ? [] : [{ title: 'Owner', isShort: true }]),
    ...(of === 'customer' ? [{ title: 'Action', isShort: true }] : []),
  ]
  return (
    <>
      <div role="status" className={s.said}>
        {message && <Banner kind="good">{message}</Banner>}
      </div>
      <ErrorBanner error={ownership.error ?? reminder.error} />
      <DataTable
        caption={lists[of].title}
        columns={columns}
        rows={page.rows.map((row) => ({
          key: row.reference,
          href: `/ports/${row.reference}/`,
          cells: [
            row.number,
            row.from,
            row.name,
            <StatusCell key="stands" row={row} />,
            <ReasonCell key="why" row={row} of={of} now={page.now} />,
            <span key="open" className={row.standing.is_late ? s.late : ''}>
              {openDurationLabel(row.seconds)}
            </span>,
            <PortOwnerCell
              key="owner"
              owner={row.owner}
              number={row.number}
              onTake={() => ownership.take(row.reference)}
            />,
            row.act === 'remind' && (
              <DenseButton key="remind" small kind="word" onClick={() => reminder.remind(row.reference)}>
                Remind<span className="visually-hidden"> of {row.number}</span>
              </DenseButton>
            ),
          ],
        }))}
        empty={lists[of].empty}
        more={(page.next ?? before) && <Pagination of={of} before={before} next={page.next} />}
      />
      <p className={s.keys}>
        <KeyHint keys="J" /> <KeyHint keys="K" /> up and down <KeyHint keys="E" /> correct <KeyHint keys="A" /> ask the
        customer <KeyHint keys="X" /> cancel <KeyHint keys="T" /> take
      </p>
    </>
  )
}

const isEndedList = (of: PortList): boolean => of === 'failed' || of === 'done'

function Pagination({ of, before, next }: PortsFilter & { next: string | null }) {
  return (
    <>
      {before && (
        <DenseButton small href={buildListPath({ of })}>
          {isEndedList(of) ? 'Newest' : 'First'}
        </DenseButton>
      )}{' '}
      {next && (
        <DenseButton small href={buildListPath({ of, before: next })}>
          {isEndedList(of) ? 'Older' : 'More'}
        </DenseButton>
      )}
    </>
  )
}

function ReasonCell({ row: { standing }, of, now }: { row: PortRow; of: PortList; now: string }) {
  const { zone } = useBootstrap().market
  if (of === 'customer' && standing.reply_by)
    return <span className={s.left}>{timeLeftLabel(standing.reply_by, now)}</span>
  return <span>{reasonLabel(standing, { now, zone })}</span>
}

function StatusCell({ row: { standing } }: { row: PortRow }) {
  return (
    <span className={s.stands}>
      {standing.is_late && <TonePill tone="bad">Late</TonePill>}
      <TonePill tone={standing.tone}>{standing.words}</TonePill>
    </span>
  )
}
