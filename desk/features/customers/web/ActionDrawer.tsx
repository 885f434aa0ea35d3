import { CallerCheck } from '#desk/features/caller-verification/web/CallerCheck.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { withFormErrors } from '#desk/features/staff/web/with-form-errors.ts'
import { emptyReasonValues, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import {
  customerActionEndpoints,
  type CustomerActionName,
  requiresVerifiedCaller,
  reasonBody,
  resendCustomerMessage,
} from '../customers.contract.ts'
import { actionLabels } from './action.labels.ts'
import { useCustomer } from './use-customer.ts'
import * as s from './ActDrawer.module.css'

export type CustomerAction = { act: CustomerActionName } | { act: 'again' | 'copy'; message: string; title: string }

type Props = {
  id: string
  wish: CustomerAction | null
  isVerified: boolean
  onClose: () => void
  onDone: (text: string) => void
}

export function ActionDrawer({ id, wish, isVerified, onClose, onDone }: Props) {
  const { refresh, call } = useCustomer(id)
  const needsVerification = wish !== null && !('message' in wish) && requiresVerifiedCaller(wish.act) && !isVerified
  return (
    <Drawer title={wish ? actionLabels[wish.act].title : ''} open={wish !== null} onClose={onClose}>
      {needsVerification && (
        <>
          <p className={s.first}>Please verify the caller first, because anyone could ask for this on the phone.</p>
          <CallerCheck id={id} call={call} onVerified={refresh} />
        </>
      )}
      {wish && !needsVerification && <ActionForm {...{ id, wish, onClose, onDone }} />}
    </Drawer>
  )
}

function ActionForm({ id, wish, onClose, onDone }: Omit<Props, 'isVerified'> & { wish: CustomerAction }) {
  const { refresh, call } = useCustomer(id)
  const form = useForm({
    schema: reasonBody,
    initial: emptyReasonValues,
    submit: (body) =>
      withFormErrors(
        call((api) =>
          'message' in wish
            ? api.call(resendCustomerMessage, { params: { id, message: wish.message }, body })
            : api.call(customerActionEndpoints[wish.act], { params: { id }, body }),
        ),
      ),
    async onSuccess({ said }) {
      await refresh()
      onClose()
      onDone(said)
    },
  })
  return (
    <form {...form.props}>
      {'message' in wish && <p className={s.subject}>{wish.title}</p>}
      <ul className={s.will}>
        {actionLabels[wish.act].willHappen.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <FormErrors form={form} />
      <ReasonFields form={form} />
      <SubmitButton form={form} wide pendingText="One moment">
        {actionLabels[wish.act].title}
      </SubmitButton>
    </form>
  )
}
