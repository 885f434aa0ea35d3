import type { ReactNode } from 'react'
import { formatDate } from '#kit/contract/dates.ts'
import { formatTimeWithoutZone } from '#kit/contract/format-moment.ts'
import { splitDataAmount } from '#kit/contract/plans.ts'
import { getZoneName } from '#kit/contract/zone-name.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Table } from '#kit/web/widgets/Table.tsx'
import { Tabs } from '#kit/web/widgets/Tabs.tsx'
import type { UsageDetail } from '../usage.contract.ts'
import { formatDestination, formatDuration, formatMegabytes } from './detail.labels.ts'
import { DetailChart } from './DetailChart.tsx'
import * as s from './detail.module.css'

export function DetailTabs({ detail }: { detail: UsageDetail | undefined }) {
  const loadingContent = !detail && (
    <Card>
      <div className={s.waiting}>
        <i />
        <Skeleton lines={7} />
      </div>
    </Card>
  )
  return (
    <Tabs
      label="Usage"
      tabs={[
        { title: 'Data', content: detail ? <DataTab days={detail.data_usage} /> : loadingContent },
        { title: 'Calls', content: detail ? <CallsTab calls={detail.voice_usage} /> : loadingContent },
        { title: 'SMS', content: detail ? <TextsTab texts={detail.txt_usage} /> : loadingContent },
      ]}
    />
  )
}

function DataTab({ days }: { days: UsageDetail['data_usage'] }) {
  const { market } = useBootstrap()
  const totalData = splitDataAmount(days.reduce((sum, { value }) => sum + value, 0) / 1000)
  if (days.every(({ value }) => value === 0)) return <EmptyTab>No data used in these 7 days.</EmptyTab>
  return (
    <Card>
      <p className={s.total}>
        <b>{Number(totalData.amount).toLocaleString('en-NZ')}</b> {totalData.unit} used in these 7 days
      </p>
      <div className={s.data}>
        <DetailChart days={days} />
        <Table
          caption="Data by day, newest first"
          columns={[
            { title: 'Date', isShort: true },
            { title: 'Data Usage (MB)', isFigure: true },
          ]}
          rows={days
            .toReversed()
            .map(({ date, value }) => ({ key: date, cells: [formatDate(date, market.zone), formatMegabytes(value)] }))}
        />
      </div>
    </Card>
  )
}

function CallsTab({ calls }: { calls: UsageDetail['voice_usage'] }) {
  const { market } = useBootstrap()
  if (calls.length === 0)
    return (
      <EmptyTab>
        <span>No calls in these 7 days.</span> <HelplineNote />
      </EmptyTab>
    )
  return (
    <Card>
      <ZoneNote />
      <Table
        caption="Calls, newest first"
        columns={[{ title: 'Date' }, { title: 'To Number' }, { title: 'Duration', isFigure: true }]}
        rows={calls.map(({ date, destination, duration }, key) => ({
          key,
          cells: [
            <DateAndTime key="when" date={date} />,
            formatDestination(destination, market.phoneRegion),
            formatDuration(duration),
          ],
        }))}
      />
      <HelplineNote />
    </Card>
  )
}

function TextsTab({ texts }: { texts: UsageDetail['txt_usage'] }) {
  const { market } = useBootstrap()
  if (texts.length === 0)
    return (
      <EmptyTab>
        <span>No texts in these 7 days.</span> <HelplineNote />
      </EmptyTab>
    )
  return (
    <Card>
      <ZoneNote />
      <Table
        caption="Texts, newest first"
        columns={[{ title: 'Date' }, { title: 'To Number' }]}
        rows={texts.map(({ date, destination }, key) => ({
          key,
          cells: [<DateAndTime key="when" date={date} />, formatDestination(destination, market.phoneRegion)],
        }))}
      />
      <HelplineNote />
    </Card>
  )
}

/** Shown to everybody, so that it does not tell whether this customer called a helpline. */
const HelplineNote = () => <small className={s.helplines}>Calls and texts to helplines are never listed here.</small>

const EmptyTab = ({ children }: { children: ReactNode }) => (
  <Card>
    <p className={s.empty}>{children}</p>
  </Card>
)

/** Names the zone of the table's times once, in a market with several zones. */
function ZoneNote() {
  const zoneName = getZoneName(useBootstrap().market.zone)
  return zoneName && <p className={s.zone}>{`Times are in ${zoneName}.`}</p>
}

function DateAndTime({ date }: { date: string }) {
  const { market } = useBootstrap()
  return (
    <span className={s.when}>
      <span>{formatDate(date, market.zone)},</span> <span>{formatTimeWithoutZone(date, market.zone)}</span>
    </span>
  )
}
