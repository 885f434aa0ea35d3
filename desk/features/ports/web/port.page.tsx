import { type ReactNode, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { DetailHead } from '#kit/web/desk/DetailHead.tsx'
import { NothingHere } from '#kit/web/desk/NothingHere.tsx'
import { Notices } from '#kit/web/desk/Notices.tsx'
import { NotPossible } from '#kit/web/desk/NotPossible.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useKeys } from '#kit/web/desk/use-keys.ts'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { useWaitsChanged } from '#desk/features/waits/web/me.waits.ts'
import type { DeskPort } from '../ports.contract.ts'
import { DonorPanel } from './DonorPanel.tsx'
import { Events } from './Events.tsx'
import { PortActs } from './PortActs.tsx'
import { actIn, mayOf, type PortAct, type Told } from './port-acts.ts'
import { PortDrawers } from './PortDrawers.tsx'
import { contactWords, hoursWords, openWords, whyWords } from './port-words.ts'
import { portQuery } from './ports.queries.ts'
import { Requests } from './Requests.tsx'
import { Stages } from './Stages.tsx'
import { useOwnPort } from './use-own-port.ts'
import { useReminder } from './use-reminder.ts'

export default function PortPage({ params: { reference = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(portQuery(useApi(), reference))
  const countAnew = useWaitsChanged()
  const changed = () => {
    void refetch()
    countAnew()
  }
  if (data) return <Port key={reference} port={data} onChanged={changed} />
  if (error)
    return (
      <>
        <h1>Number transfer</h1>
        <Unavailable what="We couldn’t load this number transfer." error={error} onRetry={() => void refetch()} />
      </>
    )
  return reference ? <Skeleton lines={8} /> : <NothingHere />
}

function Port({ port, onChanged }: { port: DeskPort; onChanged: () => void }) {
  const may = mayOf(port)
  const { search } = useRawLocation()
  const [opened, open] = useState(() => actIn(search, may))
  const own = useOwnPort(onChanged)
  const [told, tell] = useState<Told | null>(null)
  const reminder = useReminder(onChanged, (said) => tell(said === null ? null : { kind: 'good', said }))
  const begin = (act: PortAct) => {
    if (!may[act]) return
    tell(null)
    open(act)
  }
  const take = () => port.owner === null && own.take(port.reference)
  const contact = () => (may.remind ? reminder.remind(port.reference) : begin('ask'))
  useKeys({ e: () => begin('correct'), x: () => begin('cancel'), a: contact, t: take })
  return (
    <>
      <PortHead port={port}>
        <PortActs
          port={port}
          onTake={take}
          onHandBack={() => own.handBack(port.reference)}
          onContact={may.remind || may.ask ? contact : null}
          onCancel={may.cancel ? () => begin('cancel') : null}
          onCorrect={may.correct ? () => begin('correct') : null}
        />
      </PortHead>
      <Failure error={own.error ?? reminder.error} />
      <Stages stages={port.stages} />
      <PortNotices port={port} told={told} />
      <Requests port={port} />
      <Events port={port} />
      <DonorPanel from={port.from} donor={port.donor} />
      <NotPossible
        acts={[
          ['Correct and resubmit', port.correct_why],
          [contactWords[port.contact?.act ?? 'ask'], port.contact?.why ?? null],
          ['Cancel transfer', port.cancel_why],
        ]}
      />
      <PortDrawers port={port} opened={opened} onClose={() => open(null)} onChanged={onChanged} onTold={tell} />
    </>
  )
}

function PortHead({ port, children }: { port: DeskPort; children: ReactNode }) {
  const { customer, standing } = port
  return (
    <DetailHead
      title={port.number}
      acts={children}
      crumbs={
        <>
          <Link href="/ports/">Ports</Link>
          {customer.id ? (
            <Link href={`/customers/${customer.id}/`}>{customer.name}</Link>
          ) : (
            <span>{customer.name}</span>
          )}
          {port.order_code && <Link href={`/orders/${port.order_code}/`}>{port.order_code}</Link>}
          <span>{port.reference}</span>
        </>
      }
    >
      {standing.is_late && <TonePill tone="bad">Late</TonePill>}
      <TonePill tone={standing.tone}>{standing.words}</TonePill>
      <p className="muted">
        from {port.from} · now on {customer.number} · {port.ended ? 'took' : 'open for'} {openWords(port.seconds)}
        {port.owner && <span> · owner: {port.owner.is_own ? 'you' : port.owner.name}</span>}
      </p>
    </DetailHead>
  )
}

function PortNotices({ port, told }: { port: DeskPort; told: Told | null }) {
  const { market } = useBootstrap()
  const { decline, standing, later } = port
  const why = whyWords(standing, { now: port.now, zone: market.zone })
  return (
    <Notices said={told && <Banner kind={told.kind}>{told.said}</Banner>}>
      {decline ? (
        <Banner key="declined" kind="bad" title={decline.why}>
          {later ? (
            <span key="later">
              The number was requested again: <Link href={`/ports/${later}/`}>see the next request</Link>.
            </span>
          ) : (
            <span key="ask">{decline.ask}</span>
          )}{' '}
          {decline.code && <code>{decline.code}</code>}
        </Banner>
      ) : (
        why && <Banner kind={standing.is_late || standing.tone === 'warn' ? 'warn' : 'info'}>{why}</Banner>
      )}
      {!port.ended && <p className="muted">{hoursWords(port.looked_at_from, market)}</p>}
    </Notices>
  )
}
