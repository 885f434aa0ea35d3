import { CallerCheck } from '#desk/features/callers/web/CallerCheck.tsx'
import { Drawer } from '#kit/web/desk/Drawer.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { noReason, ReasonFields } from '#desk/features/staff/web/ReasonFields.tsx'
import { actCalls, type CustomerAct, needsCaller, reasonBody, sendAgain } from '../customers.contract.ts'
import { actWords } from './act-words.ts'
import { useCustomer } from './use-customer.ts'
import * as s from './ActDrawer.module.css'

export type Wish = { act: CustomerAct } | { act: 'again'; message: string; title: string }

type Props = {
  id: string
  wish: Wish | null
  isVerified: boolean
  onClose: () => void
  onDone: (said: string) => void
}

export function ActDrawer({ id, wish, isVerified, onClose, onDone }: Props) {
  const { refresh, call } = useCustomer(id)
  const isBarred = wish !== null && wish.act !== 'again' && needsCaller(wish.act) && !isVerified
  return (
    <Drawer title={wish ? actWords[wish.act].title : ''} open={wish !== null} onClose={onClose}>
      {isBarred && (
        <>
          <p className={s.first}>Please verify the caller first. Anyone could ask for this on the phone.</p>
          <CallerCheck id={id} call={call} onVerified={refresh} />
        </>
      )}
      {wish && !isBarred && <ActForm {...{ id, wish, onClose, onDone }} />}
    </Drawer>
  )
}

function ActForm({ id, wish, onClose, onDone }: Omit<Props, 'isVerified'> & { wish: Wish }) {
  const { refresh, call } = useCustomer(id)
  const form = useForm({
    schema: reasonBody,
    initial: noReason,
    submit: (body) =>
      inWords(
        call((api) =>
          wish.act === 'again'
            ? api.call(sendAgain, { params: { id, message: wish.message }, body })
            : api.call(actCalls[wish.act], { params: { id }, body }),
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
      {wish.act === 'again' && <p className={s.subject}>{wish.title}</p>}
      <ul className={s.will}>
        {actWords[wish.act].willHappen.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <FormErrors form={form} />
      <ReasonFields form={form} />
      <SubmitButton form={form} wide pendingText="One moment">
        {actWords[wish.act].title}
      </SubmitButton>
    </form>
  )
}
