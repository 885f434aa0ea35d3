import { ApiError } from '#kit/contract/errors.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { ConsequenceList } from '#kit/web/desk/ConsequenceList.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { parseCents } from '#desk/features/orders/web/refund.labels.ts'
import { limitReasonNames } from '#desk/features/staff/reasons.contract.ts'
import { roleNames } from '#desk/features/staff/staff.contract.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { retryWithPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { changeLimits, changeLimitsBody, type RoleLimits } from '../limits.contract.ts'

type Props = {
  onClose: () => void
  onDone: (text: string) => void
  onStale: () => void
}

export function LimitsDrawer({ limits, ...props }: Props & { limits: RoleLimits | null }) {
  const title = limits ? `Limits for ${roleNames[limits.role]}` : 'Limits'
  return (
    <Drawer title={title} open={limits !== null} onClose={props.onClose}>
      {limits && <LimitsForm limits={limits} {...props} />}
    </Drawer>
  )
}

function LimitsForm({
  limits: { role, order, day, deciders },
  onClose,
  onDone,
  onStale,
}: Props & { limits: RoleLimits }) {
  const api = useApi()
  const name = roleNames[role]
  const form = useForm({
    schema: changeLimitsBody,
    initial: { order, day, was_order: order, was_day: day, ...emptyReasonValues },
    submit: (body) =>
      withFormErrors(
        retryWithPasskey(api, () => api.call(changeLimits, { params: { role }, body })).catch((failure: unknown) => {
          if (failure instanceof ApiError && failure.status === 409) onStale()
          throw failure
        }),
      ),
    onSuccess: ({ data }) =>
      onDone(
        data.outcome === 'asked'
          ? 'Request sent. You’ll see the result on the Today page.'
          : `The limits for ${name} were changed.`,
      ),
  })
  const needsApproval = !isLower(form.values, { order, day })
  return (
    <form {...form.props}>
      <TextField form={form} name="order" label="Refund limit per order" inputMode="decimal" autoComplete="off" />
      <TextField form={form} name="day" label="Refund limit per 24 hours" inputMode="decimal" autoComplete="off" />
      <ReasonFields form={form} names={limitReasonNames} />
      <ConsequenceList items={listConsequences(name, form.values, needsApproval ? deciders : null)} />
      <FormErrors form={form} />
      <p>
        <SubmitButton form={form} pendingText={needsApproval ? 'Sending the request' : 'Changing'}>
          {needsApproval ? 'Request approval' : 'Change limits'}
        </SubmitButton>{' '}
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}

type LimitAmounts = { order: string; day: string }

function isLower(entered: LimitAmounts, now: LimitAmounts): boolean {
  const isAtMost = (one: string, other: string): boolean => (parseCents(one) ?? Infinity) <= (parseCents(other) ?? 0)
  return isAtMost(entered.order, now.order) && isAtMost(entered.day, now.day)
}

/**
 * Lists what the entered limits will mean.
 * @param deciders names of the people who can approve the change; `null` if it needs no approval
 */
function listConsequences(name: string, entered: LimitAmounts, deciders: string[] | null): string[] {
  const [order, day] = [parseCents(entered.order), parseCents(entered.day)]
  const sums =
    order === null || day === null
      ? 'up to these amounts'
      : `up to ${formatPriceWithCommas(order)} per order and ${formatPriceWithCommas(day)} in 24 hours`
  return [
    ...(deciders === null
      ? ['The change takes effect at once, and we’ll email the team leads']
      : [
          deciders.length > 0
            ? `Takes effect once approved by ${deciders.join(' or ')}, or after 24 hours unless someone declines it`
            : 'Takes effect after 24 hours unless someone declines it',
        ]),
    `${name} can then refund ${sums} without approval`,
    'Refunds made in the last 24 hours count towards the limit',
  ]
}
