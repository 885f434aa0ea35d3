import { useApi } from '#kit/web/api.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { EmailAddress } from '#kit/web/widgets/EmailAddress.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { reloadAccount } from '#features/auth/web/account.queries.ts'
import { useUser } from '#features/auth/web/use-user.ts'
import { resendPhoneConfirmation } from '../contact-details.contract.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { ResendMail } from './ResendMail.tsx'
import { useTabVisible } from './use-tab-visible.ts'
import * as s from './account.module.css'

/** Asks the customer to follow the emailed link to confirm a new contact phone (specification 7, `update_details`). */
export default function PhoneConfirmPage() {
  const api = useApi()
  const client = useQueryClient()
  const user = useUser()
  const refreshAccount = () => void reloadAccount(api, client)
  useTabVisible(refreshAccount)

  return (
    <AccountFrame title="Confirm Your Phone Number">
      <Card>
        {user?.email_verification ? (
          <>
            <div className={s.text}>
              <p>
                We’ve sent an email to <EmailAddress of={user.email} />.
              </p>
              <p>
                Click the link in the email to confirm{' '}
                <b className={s.number}>{user.email_verification.phone_display}</b> as your contact phone number.
              </p>
            </div>
            <ResendMail
              question="Didn't receive the email?"
              text="RESEND"
              send={async () => (await api.call(resendPhoneConfirmation, {})).data.message}
              onFailure={refreshAccount}
            />
          </>
        ) : (
          <Skeleton lines={4} />
        )}
        <div className={s.next}>
          <Button kind="plain" className={s.back} href="/account/contact-details/">
            Back to Contact Details
          </Button>
        </div>
      </Card>
    </AccountFrame>
  )
}
