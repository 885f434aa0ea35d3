import { useState } from 'react'
import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { DetailHead } from '#kit/web/desk/DetailHead.tsx'
import { NothingHere } from '#kit/web/desk/NothingHere.tsx'
import { Notices } from '#kit/web/desk/Notices.tsx'
import { NotPossible } from '#kit/web/desk/NotPossible.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useKeys } from '#kit/web/desk/use-keys.ts'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import { spanWords } from '#desk/features/staff/web/span-words.ts'
import type { DeskOrder } from '../orders.contract.ts'
import { ActDrawer, type OrderAct } from './ActDrawer.tsx'
import { BooksPanel } from './BooksPanel.tsx'
import { NetworkPanel, PaymentPanel } from './OrderTables.tsx'
import { orderQuery } from './orders.queries.ts'
import { PapersPanel } from './PapersPanel.tsx'
import { Rail } from './Rail.tsx'
import { RefundDrawer } from './RefundDrawer.tsx'
import { Settlement } from './Settlement.tsx'
import * as s from './order.module.css'

export default function OrderPage({ params: { code = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(orderQuery(useApi(), code))
  if (data) return <Order order={data} onChanged={() => void refetch()} />
  if (error)
    return (
      <>
        <h1>Order {code}</h1>
        <Unavailable what="The order could not be read." error={error} onRetry={() => void refetch()} />
      </>
    )
  return code ? <Skeleton lines={8} /> : <NothingHere />
}

type Opened = OrderAct | 'refund' | null

function Order({ order, onChanged }: { order: DeskOrder; onChanged: () => void }) {
  const [opened, open] = useState<Opened>(null)
  const [done, setDone] = useState<string | null>(null)
  const isSupport = hasRole(useMe(), ['support'])
  const acts = {
    refund: order.refund_why === null && (order.asked === null || order.asked.is_stale),
    retry: isSupport && order.retry_why === null,
    cancel: (isSupport || order.plan_waits) && order.cancel_why === null,
  }
  const begin = (act: Exclude<Opened, null>) => {
    if (!acts[act]) return
    setDone(null)
    open(act)
  }
  useKeys({ r: () => begin('refund'), x: () => begin('cancel'), t: () => begin('retry') })
  const end = (words: string) => {
    open(null)
    setDone(words)
    onChanged()
  }
  return (
    <>
      <OrderHead order={order}>
        {acts.retry && (
          <DenseButton icon="renew" keys="T" onClick={() => begin('retry')}>
            Try again
          </DenseButton>
        )}
        {acts.cancel && (
          <DenseButton icon="close" keys="X" onClick={() => begin('cancel')}>
            {order.plan_waits ? 'Cancel next plan' : 'Cancel order'}
          </DenseButton>
        )}
        {acts.refund && (
          <DenseButton kind="primary" keys="R" onClick={() => begin('refund')}>
            Refund
          </DenseButton>
        )}
      </OrderHead>
      <OrderNotices order={order} done={done} />
      <Settlement order={order} onDone={end} onStale={onChanged} />
      <Rail rail={order.rail} />
      <PaymentPanel order={order} />
      <NetworkPanel order={order} />
      <div className={s.two}>
        <BooksPanel books={order.books} />
        <PapersPanel order={order} onSent={onChanged} />
      </div>
      <WhyNot order={order} isSupport={isSupport} />
      <RefundDrawer
        order={order}
        open={opened === 'refund'}
        onClose={() => open(null)}
        onDone={end}
        onStale={onChanged}
      />
      <ActDrawer order={order} act={opened === 'refund' ? null : opened} onClose={() => open(null)} onDone={end} />
    </>
  )
}

function OrderHead({ order, children }: { order: DeskOrder; children: React.ReactNode }) {
  const { customer } = order
  return (
    <DetailHead
      title={order.code}
      acts={children}
      crumbs={
        <>
          <Link href="/orders/">Orders</Link>
          {customer.id ? (
            <Link href={`/customers/${customer.id}/`}>{customer.name}</Link>
          ) : (
            <span>{customer.name}</span>
          )}
          <span>{order.number}</span>
          <span>{customer.email}</span>
        </>
      }
    >
      <TonePill tone={order.tone}>{order.state_words}</TonePill>
      <p className="muted">
        {order.kind_words} · {order.title} ·{' '}
        {fromWire(order.amount) > 0 ? `${formatSum(fromWire(order.amount))} including GST` : 'nothing to pay'}
      </p>
    </DetailHead>
  )
}

type Asked = NonNullable<DeskOrder['asked']>

function OrderNotices({ order: { asked, tasks, failure, state }, done }: { order: DeskOrder; done: string | null }) {
  return (
    <Notices said={done && <Banner kind="good">{done}</Banner>}>
      {asked && (
        <Banner kind="info">
          {askedText(asked)} {!asked.is_own && <Link href="/">See it on Today</Link>}
        </Banner>
      )}
      {failure && state !== 'completed' && <Banner kind="warn">Why: {failure.replaceAll('_', ' ')}.</Banner>}
      {tasks.map(({ id, reason }) => (
        <Banner key={id} kind="warn">
          <b>Open task:</b> {reason}. <Link href="/">See it on Today</Link>
        </Banner>
      ))}
    </Notices>
  )
}

function askedText({ by, amount, left_seconds: left, is_own: isOwn, is_stale: isStale }: Asked): string {
  const request = `${isOwn ? 'You' : by} requested a refund of ${formatSum(fromWire(amount))}.`
  return isStale
    ? `${request} Less than that is left to refund, so it can’t be approved. To refund the rest, make a new request.`
    : `${request} The request needs approval and expires in ${spanWords(left)}.`
}

function WhyNot({ order, isSupport }: { order: DeskOrder; isSupport: boolean }) {
  const ofSupport = [
    ['Try again', order.retry_why],
    [order.plan_waits ? 'Cancel next plan' : 'Cancel order', order.cancel_why],
  ] as const
  return <NotPossible acts={[['Refund', order.refund_why], ...(isSupport ? ofSupport : [])]} />
}
