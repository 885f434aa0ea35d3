import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { PortList, PortPage, PortRow } from '../ports.contract.ts'
import { hoursWords, leftWords, openWords, whyWords } from './port-words.ts'
import { type ListPlace, placeIn, portsQuery } from './ports.queries.ts'
import s from './ports.module.css'

const lists: Record<PortList, { text: string; title: string; note: string; empty: string }> = {
  need: {
    text: 'Need us',
    title: 'Need us',
    note: 'failed and not asked for again, late, or more is asked for',
    empty: 'None needs us now.',
  },
  customer: {
    text: 'With the customer',
    title: 'Waiting for the customer’s answer',
    note: 'open longest first',
    empty: 'No customer is waited for.',
  },
  carrier: {
    text: 'With the carrier',
    title: 'With the carrier',
    note: 'open longest first',
    empty: 'None is with the carrier.',
  },
  failed: { text: 'Failed, 7 days', title: 'Failed or called off', note: 'newest first', empty: 'None has failed.' },
  done: { text: 'Done today', title: 'Done', note: 'newest first', empty: 'None is done yet.' },
}
const names = Object.keys(lists) as PortList[]

/** Number transfers, by who has to do something now. */
export default function PortsPage() {
  const { market } = useBootstrap()
  const navigate = useNavigate()
  const place = placeIn(useRawLocation().search)
  const { data, error, refetch } = useQuery(portsQuery(useApi(), place))
  const chips = names.map((value) => ({ value, text: lists[value].text, ...(data && { count: data.counts[value] }) }))
  const { title, note } = lists[place.of]
  return (
    <>
      <header className={s.head}>
        <h1>Ports</h1>
        {data && <p className="muted">{hoursWords(data.looked_at_from, market)}</p>}
      </header>
      <ChipRow label="Which ports" chips={chips} value={place.of} onChange={(of) => navigate(pathOf({ of }))} />
      <Panel title={title} note={note} inset={false}>
        {error && !data && (
          <Unavailable what="The ports could not be read." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={6} />}
        {data && <Ports page={data} place={place} />}
      </Panel>
    </>
  )
}

const pathOf = (query: { of: PortList; before?: string }): string =>
  query.of === 'need' && !query.before ? '/ports/' : `/ports/?${new URLSearchParams(query)}`

function Ports({ page, place: { of, before } }: { page: PortPage; place: ListPlace }) {
  const { zone } = useBootstrap().market
  const isOver = of === 'failed' || of === 'done'
  const columns = [
    { title: 'Number', isName: true, isShort: true },
    { title: 'From' },
    { title: 'Customer' },
    { title: 'Stands at' },
    { title: 'Why' },
    { title: isOver ? 'Took' : 'Open for', isFigure: true },
  ]
  return (
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
          <Stands key="stands" row={row} />,
          of === 'customer' && row.standing.reply_by ? (
            <span key="why" className={s.left}>
              {leftWords(row.standing.reply_by, page.now)}
            </span>
          ) : (
            whyWords(row.standing, { now: page.now, zone })
          ),
          <span key="open" className={row.standing.is_late ? s.late : ''}>
            {openWords(row.seconds)}
          </span>,
        ],
      }))}
      empty={lists[of].empty}
      more={
        (page.next ?? before) && (
          <>
            {before && (
              <DenseButton small href={pathOf({ of })}>
                {isOver ? 'Newest' : 'First'}
              </DenseButton>
            )}{' '}
            {page.next && (
              <DenseButton small href={pathOf({ of, before: page.next })}>
                {isOver ? 'Older' : 'More'}
              </DenseButton>
            )}
          </>
        )
      }
    />
  )
}

function Stands({ row: { standing } }: { row: PortRow }) {
  return (
    <span className={s.stands}>
      {standing.is_late && <TonePill tone="bad">Late</TonePill>}
      <TonePill tone={standing.tone}>{standing.words}</TonePill>
    </span>
  )
}
