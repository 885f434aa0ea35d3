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
import { useNavigate } from '#kit/web/router/location.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { useWaitsChanged } from '#desk/features/waits/web/me.waits.ts'
import type { DeskPort } from '../ports.contract.ts'
import { type CalledOff, CancelDrawer } from './CancelDrawer.tsx'
import { CorrectDrawer } from './CorrectDrawer.tsx'
import { DonorPanel } from './DonorPanel.tsx'
import { Events } from './Events.tsx'
import { PortActs } from './PortActs.tsx'
import { hoursWords, openWords, whyWords } from './port-words.ts'
import { portQuery } from './ports.queries.ts'
import { Requests } from './Requests.tsx'
import { Stages } from './Stages.tsx'
import { useOwnPort } from './use-own-port.ts'

/** A number transfer: where it stands, why, and what can be done. */
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
        <h1>Port</h1>
        <Unavailable what="The port could not be read." error={error} onRetry={() => void refetch()} />
      </>
    )
  return reference ? <Skeleton lines={8} /> : <NothingHere />
}

type Opened = 'correct' | 'cancel' | null

function Port({ port, onChanged }: { port: DeskPort; onChanged: () => void }) {
  const navigate = useNavigate()
  const [opened, open] = useState<Opened>(null)
  const own = useOwnPort(onChanged)
  const [result, setResult] = useState<CalledOff | null>(null)
  const may = { correct: port.correct_why === null, cancel: port.cancel_why === null }
  const begin = (act: 'correct' | 'cancel') => {
    if (!may[act]) return
    setResult(null)
    open(act)
  }
  const take = () => port.owner === null && own.take(port.reference)
  useKeys({ e: () => begin('correct'), x: () => begin('cancel'), t: take })
  return (
    <>
      <PortHead port={port}>
        <PortActs
          port={port}
          onTake={take}
          onHandBack={() => own.handBack(port.reference)}
          onCancel={may.cancel ? () => begin('cancel') : null}
          onCorrect={may.correct ? () => begin('correct') : null}
        />
      </PortHead>
      <Failure error={own.error} />
      <Stages stages={port.stages} />
      <PortNotices port={port} result={result} />
      <Requests port={port} />
      <Events port={port} />
      <DonorPanel from={port.from} donor={port.donor} />
      <NotPossible
        acts={[
          ['Correct and ask again', port.correct_why],
          ['Call off', port.cancel_why],
        ]}
      />
      <CorrectDrawer
        port={port}
        open={opened === 'correct'}
        onClose={() => open(null)}
        onSent={(reference) => {
          open(null)
          onChanged()
          navigate(`/ports/${reference}/`)
        }}
      />
      <CancelDrawer
        port={port}
        open={opened === 'cancel'}
        onClose={() => open(null)}
        onDone={(told) => {
          open(null)
          setResult(told)
          onChanged()
        }}
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
            <Link href={`/customers/${customer.id}/?why=task`}>{customer.name}</Link>
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
        {port.owner && ` · ${port.owner.is_own ? 'you are' : `${port.owner.name} is`} at it`}
      </p>
    </DetailHead>
  )
}

const kinds = { cancelled: 'good', undecided: 'info', refused: 'warn', over: 'warn' } as const

/** What was just done, why it did not come about, and when somebody looks at it. */
function PortNotices({ port, result }: { port: DeskPort; result: CalledOff | null }) {
  const { market } = useBootstrap()
  const { decline, standing, later } = port
  const why = whyWords(standing, { now: port.now, zone: market.zone })
  return (
    <Notices said={result && <Banner kind={kinds[result.outcome]}>{result.said}</Banner>}>
      {decline ? (
        <Banner kind="bad" title={decline.why}>
          {later ? (
            <>
              It was asked for again: <Link href={`/ports/${later}/`}>the next request</Link>.
            </>
          ) : (
            decline.ask
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
