import { type ReactNode, useState } from 'react'
import { buildPath } from '#kit/contract/endpoint.ts'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { DeskIcon } from '#kit/web/desk/DeskIcon.tsx'
import { FactStrip } from '#kit/web/desk/FactStrip.tsx'
import { DetailHead } from '#kit/web/desk/DetailHead.tsx'
import { DeskNotFound } from '#kit/web/desk/DeskNotFound.tsx'
import { Notices } from '#kit/web/desk/Notices.tsx'
import { UnavailableActions } from '#kit/web/desk/UnavailableActions.tsx'
import { TonePill } from '#kit/web/desk/TonePill.tsx'
import { useShortcuts } from '#kit/web/desk/use-shortcuts.ts'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import { type DeskDispute, downloadEvidence } from '../disputes.contract.ts'
import { DisputeDrawer, type DisputeAction } from './DisputeDrawer.tsx'
import { EvidencePanels } from './EvidencePanels.tsx'
import { isLate, timeLeftLabel } from './money.labels.ts'
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
  return reference ? <Skeleton lines={8} /> : <DeskNotFound />
}

function Dispute({ dispute, onChanged }: { dispute: DeskDispute; onChanged: () => void }) {
  const [currentAct, setCurrentAct] = useState<DisputeAction | null>(null)
  const [doneMessage, setDoneMessage] = useState<string | null>(null)
  const may = {
    contest: dispute.contest_why === null,
    accept: dispute.accept_why === null,
    close: dispute.close_why === null,
  }
  const openActionDrawer = (act: DisputeAction) => {
    if (!may[act]) return
    setDoneMessage(null)
    setCurrentAct(act)
  }
  useShortcuts({
    a: () => openActionDrawer('accept'),
    e: () => openActionDrawer('contest'),
    x: () => openActionDrawer('close'),
  })
  return (
    <>
      <DisputeHead dispute={dispute}>
        <ActionButtons may={may} onBegin={openActionDrawer} />
      </DisputeHead>
      <Notices said={doneMessage && <Banner kind="good">{doneMessage}</Banner>}>
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
        <a className={s.download} href={buildPath(downloadEvidence, { reference: dispute.reference })} download>
          <DeskIcon name="download" /> Evidence as PDF
        </a>
      </EvidencePanels>
      <UnavailableActions
        acts={[
          ['Contest', dispute.contest_why],
          ['Accept', dispute.accept_why],
          ['Close', dispute.close_why],
        ]}
      />
      <DisputeDrawer
        dispute={dispute}
        act={currentAct}
        onClose={() => setCurrentAct(null)}
        onDone={(text) => {
          setCurrentAct(null)
          setDoneMessage(text)
          onChanged()
        }}
        onStale={onChanged}
      />
    </>
  )
}

type ActionButtonsProps = { may: Record<DisputeAction, boolean>; onBegin: (act: DisputeAction) => void }

function ActionButtons({ may, onBegin }: ActionButtonsProps) {
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
  const [disputed, paid] = [dispute.amount, dispute.paid].map((amount) => formatPriceWithCommas(decimalToCents(amount)))
  return (
    <FactStrip
      facts={[
        {
          label: 'Disputed',
          value: `${disputed} ${dispute.currency} of ${paid}`,
        },
        { label: 'Bank’s reason', value: dispute.reason },
        { label: 'Bought', value: dispute.title },
        { label: 'Reported', value: formatDayAndTime(dispute.told, zone) },
        {
          label: 'Can be contested until',
          value: due ? (
            <span className={isLate(left) ? s.late : ''}>
              {formatDayAndTime(due, zone)}
              {left !== null && <span>, {timeLeftLabel(left)}</span>}
            </span>
          ) : (
            'No date given'
          ),
        },
      ]}
    />
  )
}
