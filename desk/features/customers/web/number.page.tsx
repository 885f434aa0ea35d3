import { formatDate } from '#kit/contract/dates.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { DetailHead } from '#kit/web/desk/DetailHead.tsx'
import { DeskNotFound } from '#kit/web/desk/DeskNotFound.tsx'
import { formatTime24 } from '#kit/web/desk/timeline-days.ts'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import type { NumberPage as Shown, NumberView } from '../number.contract.ts'
import { NumberAddOns } from './NumberAddOns.tsx'
import { DailyUsagePanel } from './DailyUsagePanel.tsx'
import { SimAndNumberPanel } from './SimAndNumberPanel.tsx'
import { NumberOrders } from './NumberOrders.tsx'
import { NumberPlan } from './NumberPlan.tsx'
import { NumberRenewal } from './NumberRenewal.tsx'
import { NumberStatePill } from './Numbers.tsx'
import { numberQuery } from './number.queries.ts'
import { useFocusOnHeading } from './use-focus-on-heading.ts'
import { AccessReasonForm } from './AccessReasonForm.tsx'
import * as s from './number.module.css'

export default function NumberPage({ params: { id = '', service = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(numberQuery(useApi(), id, service))
  if (data === null) return <DeskNotFound>This number doesn’t belong to this customer.</DeskNotFound>
  if (error && !data)
    return (
      <>
        <h1>Number</h1>
        <Unavailable what="We couldn’t load this number." error={error} onRetry={() => void refetch()} />
      </>
    )
  if (!data) return <Skeleton lines={8} />
  const { name, opened, number } = data
  if (!opened || !number)
    return (
      <AccessReasonForm
        id={id}
        name={name}
        onOpened={async () => {
          await refetch()
        }}
      />
    )
  return <NumberRecord {...{ id, name, opened, number }} />
}

type Props = { id: string; name: string; opened: NonNullable<Shown['opened']>; number: NumberView }

function NumberRecord({ id, name, opened, number }: Props) {
  useFocusOnHeading()
  const about = { id, service: number.id }
  const isInUse = number.state !== 'released'
  return (
    <>
      <NumberHead {...{ id, name, opened, number }} />
      <div className={s.layout}>
        <div className={s.column}>
          <NumberPlan {...about} number={number} />
          {number.renewal && <NumberRenewal renewal={number.renewal} />}
          <SimAndNumberPanel {...about} number={number} />
        </div>
        <div className={s.column}>
          {isInUse && <DailyUsagePanel {...about} began={number.plan?.starts ?? null} />}
          {isInUse && <NumberAddOns {...about} />}
          <NumberOrders orders={number.orders} />
        </div>
      </div>
    </>
  )
}

function NumberHead({ id, name, opened, number }: Props) {
  const { zone } = useBootstrap().market
  const customerPath = `/customers/${id}/`
  return (
    <DetailHead
      title={number.number || 'Erased number'}
      crumbs={
        <>
          <Link href="/find/">Customers</Link>
          <Link href={customerPath}>{name}</Link>
          {number.name && <span>{number.name}</span>}
        </>
      }
      acts={
        <DenseButton icon="user" href={customerPath}>
          Customer page
        </DenseButton>
      }
    >
      <NumberStatePill state={number.state} />
      <p className="muted">
        Since {formatDate(number.since, zone)} · opened for: {opened.why.toLowerCase()}, until{' '}
        {formatTime24(opened.until, zone)}
      </p>
    </DetailHead>
  )
}
