import { type ReactNode, useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { DetailHead } from '#kit/web/desk/DetailHead.tsx'
import { DeskNotFound } from '#kit/web/desk/DeskNotFound.tsx'
import { Notices } from '#kit/web/desk/Notices.tsx'
import { UnavailableActions } from '#kit/web/desk/UnavailableActions.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useShortcuts } from '#kit/web/desk/use-shortcuts.ts'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { useRefreshCounters } from '#desk/features/counters/web/counters.queries.ts'
import type { DeskPort } from '../ports.contract.ts'
import { DonorPanel } from './DonorPanel.tsx'
import { PortEvents } from './PortEvents.tsx'
import { PortActions } from './PortActions.tsx'
import { actionFromUrl, listPossibleActions, type PortAction, type ActionResult } from './port-actions.ts'
import { PortDrawers } from './PortDrawers.tsx'
import { contactLabels, providerHoursLabel, openDurationLabel, reasonLabel } from './port.labels.ts'
import { portQuery } from './ports.queries.ts'
import { PortRequests } from './PortRequests.tsx'
import { PortStages } from './PortStages.tsx'
import { usePortOwnership } from './use-port-ownership.ts'
import { useReminder } from './use-reminder.ts'

export default function PortPage({ params: { reference = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(portQuery(useApi(), reference))
  const refreshCounters = useRefreshCounters()
  const handleChange = () => {
    void refetch()
    refreshCounters()
  }
  if (data) return <Port key={reference} port={data} onChanged={handleChange} />
  if (error)
    return (
      <>
        <h1>Number transfer</h1>
        <Unavailable what="We couldn’t load this number transfer." error={error} onRetry={() => void refetch()} />
      </>
    )
  return reference ? <Skeleton lines={8} /> : <DeskNotFound />
}

function Port({ port, onChanged }: { port: DeskPort; onChanged: () => void }) {
  const possibleActions = listPossibleActions(port)
  const { search } = useRawLocation()
  const [currentAct, setCurrentAct] = useState(() => actionFromUrl(search, possibleActions))
  const ownership = usePortOwnership(onChanged)
  const [result, setResult] = useState<ActionResult | null>(null)
  const reminder = useReminder(onChanged, (text) => setResult(text === null ? null : { kind: 'good', said: text }))
  const openActionDrawer = (act: PortAction) => {
    if (!possibleActions[act]) return
    setResult(null)
    setCurrentAct(act)
  }
  const take = () => port.owner === null && ownership.take(port.reference)
  const contactCustomer = () => (possibleActions.remind ? reminder.remind(port.reference) : openActionDrawer('ask'))
  useShortcuts({
    e: () => openActionDrawer('correct'),
    x: () => openActionDrawer('cancel'),
    a: contactCustomer,
    t: take,
  })
  return (
    <>
      <PortHead port={port}>
        <PortActions
          port={port}
          onTake={take}
          onHandBack={() => ownership.handBack(port.reference)}
          onContact={possibleActions.remind || possibleActions.ask ? contactCustomer : null}
          onCancel={possibleActions.cancel ? () => openActionDrawer('cancel') : null}
          onCorrect={possibleActions.correct ? () => openActionDrawer('correct') : null}
        />
      </PortHead>
      <ErrorBanner error={ownership.error ?? reminder.error} />
      <PortStages stages={port.stages} />
      <PortNotices port={port} told={result} />
      <PortRequests port={port} />
      <PortEvents port={port} />
      <DonorPanel from={port.from} donor={port.donor} />
      <UnavailableActions
        acts={[
          ['Correct and resubmit', port.correct_why],
          [contactLabels[port.contact?.act ?? 'ask'], port.contact?.why ?? null],
          ['Cancel transfer', port.cancel_why],
        ]}
      />
      <PortDrawers
        port={port}
        opened={currentAct}
        onClose={() => setCurrentAct(null)}
        onChanged={onChanged}
        onTold={setResult}
      />
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
        from {port.from} · now on {customer.number} · {port.ended ? 'took' : 'open for'}{' '}
        {openDurationLabel(port.seconds)}
        {port.owner && <span> · owner: {port.owner.is_own ? 'you' : port.owner.name}</span>}
      </p>
    </DetailHead>
  )
}

function PortNotices({ port, told }: { port: DeskPort; told: ActionResult | null }) {
  const { market } = useBootstrap()
  const { decline, standing, later } = port
  const why = reasonLabel(standing, { now: port.now, zone: market.zone })
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
      {!port.ended && <p className="muted">{providerHoursLabel(port.looked_at_from, market)}</p>}
    </Notices>
  )
}
