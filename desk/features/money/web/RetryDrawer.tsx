import { fromWire } from '#kit/contract/money.ts'
import { formatSum } from '#kit/contract/sums.ts'
import { useApi } from '#kit/web/api.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { WillHappen } from '#kit/web/desk/WillHappen.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { noReason, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { type RefundRow, retryRefund, retryWhy } from '../money.contract.ts'

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
    schema: retryWhy,
    initial: noReason,
    submit: (body) => inWords(api.call(retryRefund, { params: { id }, body })),
    onSuccess: onDone,
  })
  return (
    <form {...form.props}>
      <ReasonFields form={form} />
      <WillHappen
        items={[
          'The refund is sent to the gateway again with the same key',
          `${formatSum(fromWire(amount))} is refunded only once`,
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
