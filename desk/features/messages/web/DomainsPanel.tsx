import { useApi } from '#kit/web/api.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { Figures } from '#kit/web/desk/Figure.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { durationLabel } from '#desk/features/staff/web/time.labels.ts'
import {
  refusedPeriodDays,
  type DomainRow,
  type DomainStatistics,
  stuckMinutes,
  textMessagesFilter,
} from '../messages.contract.ts'
import { countLabel, medianTimeLabel, sendingTimeLabel, domainLabel, stuckLabel } from './message.labels.ts'
import { domainsQuery, messagesPath } from './messages.queries.ts'
import * as s from './messages.module.css'

export function DomainsPanel() {
  const { data, error, refetch } = useQuery(domainsQuery(useApi()))
  return (
    <>
      {data && <Summary domains={data} />}
      <Panel title="Delivery problems by domain" note="worst first" inset={false}>
        {error && !data && (
          <Unavailable what="We couldn’t load the delivery problems." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={3} />}
        {data && <Table {...data} />}
      </Panel>
    </>
  )
}

function Summary({
  domains: { refused, stuck, mails, texts: textPace, most_counted: most },
}: {
  domains: DomainStatistics
}) {
  return (
    <Figures
      figures={[
        {
          label: 'Refused',
          value: countLabel(refused, most),
          note: `in the last ${refusedPeriodDays} days`,
          href: messagesPath({}),
        },
        {
          label: 'Stuck',
          value: countLabel(stuck, most),
          note: `waiting for ${stuckMinutes} min or more`,
          href: messagesPath({ of: 'stuck' }),
        },
        { label: 'Median time per email today', value: medianTimeLabel(mails), note: sendingTimeLabel(mails) },
        { label: 'Median time per text today', value: medianTimeLabel(textPace), note: sendingTimeLabel(textPace) },
      ]}
    />
  )
}

const columns = [
  { title: 'To', isName: true },
  { title: `Refused, last ${refusedPeriodDays} days`, isFigure: true },
  { title: 'Stuck', isFigure: true },
  { title: 'Sent today', isFigure: true },
  { title: 'Median', isFigure: true },
  { title: '95% within', isFigure: true },
]

function Table({ domains, others }: Pick<DomainStatistics, 'domains' | 'others'>) {
  return (
    <DataTable
      caption="Delivery problems by domain"
      columns={columns}
      rows={domains.map((row) => ({
        key: row.domain ?? textMessagesFilter,
        cells: [
          <Link
            key="to"
            className={s.domain}
            href={messagesPath({ of: chooseMessageList(row), to: row.domain ?? textMessagesFilter })}
          >
            {domainLabel(row)}
          </Link>,
          row.refused,
          <span key="stuck" className={row.stuck > 0 ? s.stuck : ''}>
            {stuckLabel(row)}
          </span>,
          row.pace?.sent ?? 0,
          medianTimeLabel(row.pace),
          row.pace ? durationLabel(row.pace.most_seconds) : '–',
        ],
      }))}
      empty="No messages are refused or stuck."
      more={others > 0 && <span className="muted">{others} more domains with fewer problems.</span>}
    />
  )
}

const chooseMessageList = ({ refused }: DomainRow) => (refused > 0 ? 'refused' : 'stuck')
