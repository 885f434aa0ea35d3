import { useApi } from '#kit/web/api.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { LongWait } from '#kit/web/widgets/LongWait.tsx'
import {
  stopAccountMail,
  readVerification,
  type Verification,
  verifyEmail,
  verifyEmailSchema,
} from '../verify.contract.ts'
import { FailureBanner } from './FailureBanner.tsx'
import type { LinkOutcome } from './verification-link.ts'
import * as s from './AuthFrame.module.css'

type Props = { token: string; onEnd: (end: LinkOutcome) => void }

export function ConfirmByPassword({ token, onEnd }: Props) {
  const api = useApi()
  const verificationQuery = useQuery({
    queryKey: ['verification', token],
    queryFn: async () => (await api.call(readVerification, { body: { token } })).data,
  })
  if (verificationQuery.data) return <PasswordForm token={token} onEnd={onEnd} about={verificationQuery.data} />
  return (
    <div className={s.said}>
      <div role="status">
        {verificationQuery.isError ? (
          <FailureBanner error={verificationQuery.error} />
        ) : (
          <>
            <p>One moment, please.</p>
            <LongWait />
          </>
        )}
      </div>
      {verificationQuery.isError && (
        <Button wide onClick={() => void verificationQuery.refetch()}>
          Try Again
        </Button>
      )}
    </div>
  )
}

function PasswordForm({ token, onEnd, about }: Props & { about: Verification }) {
  const api = useApi()
  const form = useForm({
    schema: verifyEmailSchema,
    initial: { token, password: '', account_password: '' },
    submit: (body) => api.call(verifyEmail, { body }),
    onSuccess: ({ data }) => onEnd(data.joined ? 'joined' : 'done'),
  })
  const number = about.phone_number ? <b className={s.number}>{about.phone_number}</b> : <span>a new SIM</span>
  return (
    <>
      <p className={s.lead}>
        Someone activated {number}{' '}
        <span>
          with this email address. If it was you, enter the password you chose{' '}
          {about.needs_password ? 'for it' : 'for your existing account'}.
        </span>
      </p>
      <form {...form.props}>
        <FormErrors form={form} />
        {about.needs_password && <PasswordField form={form} name="password" label="Password chosen for this number" />}
        {about.needs_account_password && (
          <PasswordField form={form} name="account_password" label="Password for your existing account" />
        )}
        <SubmitButton form={form} wide pendingText="CONFIRMING">
          CONFIRM
        </SubmitButton>
      </form>
      {about.needs_password && <NotMeButton token={token} onEnd={onEnd} />}
    </>
  )
}

function NotMeButton({ token, onEnd }: Props) {
  const api = useApi()
  const stopMailMutation = useMutation({
    mutationFn: () => api.call(stopAccountMail, { body: { token } }),
    onSuccess: () => onEnd('notMe'),
  })
  return (
    <div className={`${s.said} ${s.apart}`}>
      <p>If it wasn’t you, don’t worry: they can’t see your details. We can stop emailing you about that number.</p>
      <div role="status">{stopMailMutation.isError && <FailureBanner error={stopMailMutation.error} />}</div>
      <BusyButton
        kind="quiet"
        wide
        busy={stopMailMutation.isPending}
        busyText="One moment"
        onClick={() => void stopMailMutation.mutate()}
      >
        This wasn’t me
      </BusyButton>
    </div>
  )
}
