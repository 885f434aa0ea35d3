import { useId, useState } from 'react'
import type { Api } from '#kit/contract/endpoint.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { PersonMark } from '#kit/web/desk/PersonMark.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { withConfirmation } from '#desk/features/staff/web/me.passkey.ts'
import { minuteOf, spanWords } from '#desk/features/staff/web/span-words.ts'
import { type Approval, approveAct, decideApproval } from '../approvals.contract.ts'
import { isGrant, wordsOf } from './approval-words.tsx'
import * as s from './Decide.module.css'

export function Decide({ approval, onDecided }: { approval: Approval; onDecided: (words: string) => void }) {
  const api = useApi()
  const { id, asked_by: asker } = approval
  const { zone } = useBootstrap().market
  const asked = wordsOf(approval, zone)
  const [words, setWords] = useState('')
  const decide = (decision: Decision) => send(api, id, { decision, words })
  const approve = useMutation({
    mutationFn: () => decide('approved'),
    onSuccess: ({ data }) => onDecided(asked.done(data.outcome, data.why ?? '')),
  })
  const refuse = useMutation({
    mutationFn: () => decide('refused'),
    onSuccess: () => onDecided(`Declined. ${asker} will see this on Today.`),
  })
  return (
    <article className={s.card} aria-label={asked.name}>
      <header className={s.head}>
        <PersonMark name={asker} />
        <div>
          <h2>{asked.title}?</h2>
          <p className="muted">
            Requested by {asker}, {spanWords(approval.age_seconds)} ago
          </p>
        </div>
      </header>
      <dl className={s.facts}>
        {[...asked.facts, ...saidBy(approval)].map(([name, value]) => (
          <div key={`${name} ${typeof value === 'string' ? value : ''}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <label className={s.words}>
        <span>Message to {asker.split(' ')[0]} (optional)</span>
        <input
          value={words}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      <Failure error={approve.error ?? refuse.error} />
      <Choice
        approval={approval}
        stale={asked.stale}
        isBusy={approve.isPending || refuse.isPending}
        onApprove={() => void approve.mutate()}
        onRefuse={() => void refuse.mutate()}
      />
      <p className={s.foot}>{footOf(approval, zone)}</p>
    </article>
  )
}

type ChoiceProps = {
  approval: Approval
  stale: string | null
  isBusy: boolean
  onApprove: () => void
  onRefuse: () => void
}

function Choice({ approval, stale, isBusy, onApprove, onRefuse }: ChoiceProps) {
  const { zone } = useBootstrap().market
  const reasonId = useId()
  const { cannot_approve: obstacle } = approval
  const reason = stale ?? (obstacle && obstacleText(obstacle, zone))
  return (
    <>
      {reason !== null && (
        <div id={reasonId}>
          <Banner kind="warn">{reason}</Banner>
        </div>
      )}
      <div className={s.acts}>
        {stale === null && (
          <DenseButton
            kind="primary"
            disabled={obstacle !== null}
            aria-describedby={obstacle ? reasonId : undefined}
            aria-busy={isBusy || undefined}
            onClick={() => isBusy || onApprove()}
          >
            Approve
          </DenseButton>
        )}
        <DenseButton aria-busy={isBusy || undefined} onClick={() => isBusy || onRefuse()}>
          Decline
        </DenseButton>
      </div>
    </>
  )
}

type Decision = 'approved' | 'refused'

const send = (api: Api, id: string, said: { decision: Decision; words: string }) =>
  inWords(
    withConfirmation(api, approveAct(id), (answer) =>
      api.call(decideApproval, { params: { id }, body: { ...said, ...(answer && { answer }) } }),
    ),
  )

const obstacleText = ({ why, until }: NonNullable<Approval['cannot_approve']>, zone: string): string =>
  until === null ? why : `${why} You can approve this from ${minuteOf(until, zone)}.`

const footOf = (approval: Approval, zone: string): string =>
  isGrant(approval)
    ? `Waiting for approval. Takes effect on ${minuteOf(approval.lapses, zone)} unless a lead or an admin declines it.`
    : `You may need to confirm with your passkey. Expires in ${spanWords(approval.left_seconds)}.`

const saidBy = ({ asked_by: asker, reason, note, same_reason }: Approval) =>
  [
    ['Reason', reason],
    ...(note ? [['Note', note] as const] : []),
    ['Same reason in 30 days', `${asker.split(' ')[0]} ${same_reason.asker}, team ${same_reason.all}`],
  ] as const
