import { useApi } from '#kit/web/api.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { resendVerification, verifyMessages } from '../verify.contract.ts'
import { reloadAccount } from './account.queries.ts'
import { FailureBanner } from './FailureBanner.tsx'
import s from './DoorFrame.module.css'

/** Has the mail that confirms an address sent once more. */
export function Resend() {
  const api = useApi()
  const client = useQueryClient()
  const resend = useMutation({
    mutationFn: () => api.call(resendVerification, {}),
    // Nothing is sent to an address that was confirmed meanwhile, on the phone perhaps: then the guard leads on.
    onSuccess: () => void reloadAccount(api, client),
  })
  return (
    <div className={s.said}>
      <p><b>{"Didn't receive the email?"}</b> Have a look in your spam folder, or have it sent once more.</p>
      <div role="status">
        {resend.isSuccess && <Banner kind="good">{verifyMessages.resent}</Banner>}
        {resend.isError && <FailureBanner error={resend.error} />}
      </div>
      <Button wide disabled={resend.isPending} onClick={() => void resend.mutate()}>RESEND</Button>
    </div>
  )
}
