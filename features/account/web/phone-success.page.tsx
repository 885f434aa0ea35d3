import { useApi } from '#kit/web/api.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { LongWait } from '#kit/web/widgets/LongWait.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import { useUser } from '#features/auth/web/use-user.ts'
import { confirmPhone, detailsMessages } from '../contact-details.contract.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { setUser } from './set-user.ts'
import { useMailLink } from './use-mail-link.ts'
import * as s from './account.module.css'

export default function PhoneSuccessPage() {
  const api = useApi()
  const client = useQueryClient()
  const user = useUser()
  const { status, error, retry } = useMailLink({
    ready: user?.email_verified === true,
    follow: async (token) => (await api.call(confirmPhone, { body: { token } })).data.user,
    onSuccess: (updatedUser) => setUser(client, updatedUser),
  })
  const pendingVerification = user?.email_verification

  return (
    <AccountFrame title="Your Phone Number">
      <Card>
        <div role="status">
          {status === 'pending' && (
            <>
              <p>One moment, we are confirming your phone number.</p>
              <LongWait />
            </>
          )}
          {status === 'done' && <Banner kind="good">{detailsMessages.phoneDone}</Banner>}
          {status === 'refused' && <Banner kind="bad">{detailsMessages.phoneInvalid}</Banner>}
          {status === 'failed' && <FailureBanner error={error} />}
        </div>
        {status !== 'pending' && (
          <div className={s.text}>
            {user?.phone_display && (
              <p>
                Your contact phone number is <b className={s.number}>{user.phone_display}</b>.
              </p>
            )}
            {pendingVerification && (
              <p>
                <b className={s.number}>{pendingVerification.phone_display}</b> is waiting to be confirmed.
              </p>
            )}
          </div>
        )}
        <div className={s.next}>
          {status === 'failed' && <Button onClick={retry}>Try Again</Button>}
          {pendingVerification && (status === 'refused' || status === 'none') && (
            <Button href="/account/contact-details/phone-confirm/">Get a new link</Button>
          )}
          <Button kind="quiet" href="/account/contact-details/">
            Back to Contact Details
          </Button>
        </div>
      </Card>
    </AccountFrame>
  )
}
