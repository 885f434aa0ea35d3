import { type ReactNode, useState } from 'react'
import { pathOf } from '#kit/contract/endpoint.ts'
import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { FactStrip } from '#kit/web/desk/FactStrip.tsx'
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
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import { type DeskDispute, downloadEvidence } from '../disputes.contract.ts'
import { DisputeDrawer, type DisputeAct } from './DisputeDrawer.tsx'
import { EvidencePanels } from './EvidencePanels.tsx'
import { isLate, leftWords } from './money-words.ts'
import { disputeQuery } from './money.queries.ts'
import * as s from './money.module.css'

export default function DisputePage({ params: { reference = '' } }: PageProps) {
  const { data, error, refetch } = useQuery(disputeQuery(useApi(), reference))
  if (data) return <Dispute key={reference} dispute={data} onChanged={() => void refetch()} />
  if (error)
    return (
      <>
        <h1>Dispute</h1>
        <Unavailable what="We couldn’t load this dispute." error={error} onRetry={() => void refetch()} />
      </>
    )
  return reference ? <Skeleton lines={8} /> : <NothingHere />
}

function Dispute({ dispute, onChanged }: { dispute: DeskDispute; onChanged: () => void }) {
  const [opened, open] = useState<DisputeAct | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const may = {
    contest: dispute.contest_why === null,
    accept: dispute.accept_why === null,
    close: dispute.close_why === null,
  }
  const begin = (act: DisputeAct) => {
    if (!may[act]) return
    setDone(null)
    open(act)
  }
  useKeys({ a: () => begin('accept'), e: () => begin('contest'), x: () => begin('close') })
  return (
    <>
      <DisputeHead dispute={dispute}>
        <Acts may={may} onBegin={begin} />
      </DisputeHead>
      <Notices said={done && <Banner kind="good">{done}</Banner>}>
        {dispute.said.length > 0 && (
          <Banner kind="info">
            {dispute.said.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </Banner>
        )}
      </Notices>
      <Facts dispute={dispute} />
      <EvidencePanels sections={dispute.evidence}>
        <a className={s.download} href={pathOf(downloadEvidence, { reference: dispute.reference })} download>
          <DeskIcon name="download" /> Evidence as PDF
        </a>
      </EvidencePanels>
      <NotPossible
        acts={[
          ['Contest', dispute.contest_why],
          ['Accept', dispute.accept_why],
          ['Close', dispute.close_why],
        ]}
      />
      <DisputeDrawer
        dispute={dispute}
        act={opened}
        onClose={() => open(null)}
        onDone={(words) => {
          open(null)
          setDone(words)
          onChanged()
        }}
        onStale={onChanged}
      />
    </>
  )
}

type ActsProps = { may: Record<DisputeAct, boolean>; onBegin: (act: DisputeAct) => void }

function Acts({ may, onBegin }: ActsProps) {
  return (
    <>
      {may.close && (
        <DenseButton icon="close" keys="X" onClick={() => onBegin('close')}>
          Close
        </DenseButton>
      )}
      {may.accept && (
        <DenseButton keys="A" onClick={() => onBegin('accept')}>
          Accept
        </DenseButton>
      )}
      {may.contest && (
        <DenseButton kind="primary" keys="E" onClick={() => onBegin('contest')}>
          Contest
        </DenseButton>
      )}
    </>
  )
}

function DisputeHead({ dispute, children }: { dispute: DeskDispute; children: ReactNode }) {
  const { customer, order } = dispute
  return (
    <DetailHead
      title={dispute.reference}
      acts={children}
      crumbs={
        <>
          <Link href="/money/">Disputes</Link>
          {customer.id ? (
            <Link href={`/customers/${customer.id}/`}>{customer.name}</Link>
          ) : (
            <span>{customer.name}</span>
          )}
          <Link href={`/orders/${order}/`}>{order}</Link>
        </>
      }
    >
      <TonePill tone={dispute.tone}>{dispute.words}</TonePill>
    </DetailHead>
  )
}

function Facts({ dispute }: { dispute: DeskDispute }) {
  const { zone } = useBootstrap().market
  const { due, left_seconds: left } = dispute
  return (
    <FactStrip
      facts={[
        {
          label: 'Disputed',
          value: `${formatSum(fromWire(dispute.amount))} ${dispute.currency} of ${formatSum(fromWire(dispute.paid))}`,
        },
        { label: 'Bank’s reason', value: dispute.reason },
        { label: 'Bought', value: dispute.title },
        { label: 'Reported', value: minuteOf(dispute.told, zone) },
        {
          label: 'Can be contested until',
          value: due ? (
            <span className={isLate(left) ? s.late : ''}>
              {minuteOf(due, zone)}
              {left !== null && <span>, {leftWords(left)}</span>}
            </span>
          ) : (
            'No date given'
          ),
        },
      ]}
    />
  )
}
