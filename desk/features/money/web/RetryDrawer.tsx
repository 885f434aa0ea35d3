import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { ConsequenceList } from '#kit/web/desk/ConsequenceList.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { type RefundRow, retryRefund, retryRefundBody } from '../refunds.contract.ts'

type Props = { refund: RefundRow | null; onClose: () => void; onDone: () => void }

export function RetryDrawer({ refund, ...props }: Props) {
  return (
    <Drawer title="Try this refund again" open={refund !== null} onClose={props.onClose}>
      {refund && <RetryForm key={refund.id} refund={refund} {...props} />}
    </Drawer>
  )
}

function RetryForm({ refund: { id, amount }, onClose, onDone }: Props & { refund: RefundRow }) {
  const api = useApi()
  const form = useForm({
    schema: retryRefundBody,
    initial: emptyReasonValues,
    submit: (body) => withFormErrors(api.call(retryRefund, { params: { id }, body })),
    onSuccess: onDone,
  })
  return (
    <form {...form.props}>
      <ReasonFields form={form} />
      <ConsequenceList
        items={[
          'We’ll send the gateway the same refund request again',
          `The customer won’t get ${formatPriceWithCommas(decimalToCents(amount))} twice`,
        ]}
      />
      <FormErrors form={form} />
      <p>
        <SubmitButton form={form} pendingText="Asking">
          Try again
        </SubmitButton>{' '}
        <DenseButton onClick={onClose}>Close</DenseButton>
      </p>
    </form>
  )
}
