import { ApiError } from '#kit/contract/errors.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { WillHappen } from '#kit/web/desk/WillHappen.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { centsTyped } from '#desk/features/orders/web/refund-words.ts'
import { limitReasonNames } from '#desk/features/staff/reasons.contract.ts'
import { roleNames } from '#desk/features/staff/staff.contract.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { withPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { noReason, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { changeLimits, limitsWish, type RoleLimits } from '../limits.contract.ts'

type Props = {
  onClose: () => void
  onDone: (words: string) => void
  onStale: () => void
}

export function LimitsDrawer({ limits, ...props }: Props & { limits: RoleLimits | null }) {
  const title = limits ? `Limits of ${roleNames[limits.role]}` : 'Limits'
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
    schema: limitsWish,
    initial: { order, day, was_order: order, was_day: day, ...noReason },
    submit: (body) =>
      inWords(
        withPasskey(api, () => api.call(changeLimits, { params: { role }, body })).catch((failure: unknown) => {
          if (failure instanceof ApiError && failure.status === 409) onStale()
          throw failure
        }),
      ),
    onSuccess: ({ data }) =>
      onDone(
        data.outcome === 'asked'
          ? 'Request sent. The result will appear on Today.'
          : `The limits of ${name} were changed.`,
      ),
  })
  const needsSecond = !isLower(form.values, { order, day })
  return (
    <form {...form.props}>
      <TextField
        form={form}
        name="order"
        label="Per order, without approval"
        inputMode="decimal"
        autoComplete="off"
        maxLength={10}
      />
      <TextField
        form={form}
        name="day"
        label="In 24 hours, without approval"
        inputMode="decimal"
        autoComplete="off"
        maxLength={10}
      />
      <ReasonFields form={form} names={limitReasonNames} />
      <WillHappen items={whatWillHappen(name, form.values, needsSecond ? deciders : null)} />
      <FormErrors form={form} />
      <p>
        <SubmitButton form={form} pendingText={needsSecond ? 'Sending the request' : 'Changing'}>
          {needsSecond ? 'Request approval' : 'Change limits'}
        </SubmitButton>{' '}
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}

type Amounts = { order: string; day: string }

function isLower(typed: Amounts, now: Amounts): boolean {
  const atMost = (one: string, other: string): boolean => (centsTyped(one) ?? Infinity) <= (centsTyped(other) ?? 0)
  return atMost(typed.order, now.order) && atMost(typed.day, now.day)
}

/** @param deciders names of those who can approve the change; `null` when it needs no approval */
function whatWillHappen(name: string, typed: Amounts, deciders: string[] | null): string[] {
  const [order, day] = [centsTyped(typed.order), centsTyped(typed.day)]
  const sums =
    order === null || day === null
      ? 'up to these amounts'
      : `up to ${formatSum(order)} per order and ${formatSum(day)} in 24 hours`
  return [
    ...(deciders === null
      ? ['The change takes effect at once, and leads are told by email']
      : [
          deciders.length > 0
            ? `Takes effect once approved by ${deciders.join(' or ')}, or after 24 hours unless someone declines it`
            : 'Takes effect after 24 hours unless someone declines it',
        ]),
    `${name} can then refund ${sums} without approval`,
    'Refunds of the last 24 hours count towards the limit',
  ]
}
