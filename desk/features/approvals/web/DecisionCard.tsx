import { useId, useState } from 'react'
import type { Api } from '#kit/contract/endpoint.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { StaffAvatar } from '#kit/web/desk/StaffAvatar.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { formatDayAndTime, durationLabel } from '#desk/features/staff/web/time.labels.ts'
import { type Approval, approvalActionName, decideApproval } from '../approvals.contract.ts'
import { isGrant, approvalLabels } from './approval.labels.tsx'
import * as s from './Decide.module.css'

export function DecisionCard({ approval, onDecided }: { approval: Approval; onDecided: (text: string) => void }) {
  const api = useApi()
  const { id, asked_by: asker } = approval
  const { zone } = useBootstrap().market
  const labels = approvalLabels(approval, zone)
  const [note, setNote] = useState('')
  const decideWithNote = (decision: Decision) => submitDecision(api, id, { decision, words: note })
  const approveMutation = useMutation({
    mutationFn: () => decideWithNote('approved'),
    onSuccess: ({ data }) => onDecided(labels.done(data.outcome, data.why ?? '')),
  })
  const declineMutation = useMutation({
    mutationFn: () => decideWithNote('refused'),
    onSuccess: () => onDecided(`Declined. ${asker} will see this on Today.`),
  })
  return (
    <article className={s.card} aria-label={labels.name}>
      <header className={s.head}>
        <StaffAvatar name={asker} />
        <div>
          <h2>{labels.title}?</h2>
          <p className="muted">
            Requested by {asker}, {durationLabel(approval.age_seconds)} ago
          </p>
        </div>
      </header>
      <dl className={s.facts}>
        {[...labels.facts, ...listRequestFacts(approval)].map(([name, value]) => (
          <div key={`${name} ${typeof value === 'string' ? value : ''}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <label className={s.words}>
        <span>Message to {asker.split(' ')[0]} (optional)</span>
        <input
          value={note}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      <ErrorBanner error={approveMutation.error ?? declineMutation.error} />
      <DecisionButtons
        approval={approval}
        stale={labels.stale}
        isBusy={approveMutation.isPending || declineMutation.isPending}
        onApprove={() => void approveMutation.mutate()}
        onRefuse={() => void declineMutation.mutate()}
      />
      <p className={s.foot}>{footerText(approval, zone)}</p>
    </article>
  )
}

type DecisionButtonsProps = {
  approval: Approval
  stale: string | null
  isBusy: boolean
  onApprove: () => void
  onRefuse: () => void
}

function DecisionButtons({ approval, stale, isBusy, onApprove, onRefuse }: DecisionButtonsProps) {
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

/** Loads the passkey code on first use, because most visits to a page with requests do not involve a decision. */
async function submitDecision(api: Api, id: string, input: { decision: Decision; words: string }) {
  const { sendWithConfirmation } = await import('#desk/features/staff/web/me.passkey.ts')
  return withFormErrors(
    sendWithConfirmation(api, approvalActionName(id), (answer) =>
      api.call(decideApproval, { params: { id }, body: { ...input, ...(answer && { answer }) } }),
    ),
  )
}

const obstacleText = ({ why, until }: NonNullable<Approval['cannot_approve']>, zone: string): string =>
  until === null ? why : `${why} You can approve this from ${formatDayAndTime(until, zone)}.`

const footerText = (approval: Approval, zone: string): string =>
  isGrant(approval)
    ? `Waiting for approval. Takes effect on ${formatDayAndTime(approval.lapses, zone)} unless a team lead or an admin declines it.`
    : `You may need to confirm with your passkey. Expires in ${durationLabel(approval.left_seconds)}.`

const listRequestFacts = ({ asked_by: asker, reason, note, same_reason }: Approval) =>
  [
    ['Reason', reason],
    ...(note ? [['Note', note] as const] : []),
    [
      'Requests with this reason in the last 30 days',
      `${asker.split(' ')[0]} ${same_reason.asker}, team ${same_reason.all}`,
    ],
  ] as const
