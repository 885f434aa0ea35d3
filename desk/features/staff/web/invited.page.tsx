import { ApiError } from '#kit/contract/errors.ts'
import { useApi } from '#kit/web/api.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import type { PageProps } from '#kit/web/page.ts'
import { StaffAvatar } from '#kit/web/desk/StaffAvatar.tsx'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { useIsFetching, useQuery } from '#kit/web/query/use-query.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { acceptInvitation, openInvitation, passkeyNameSchema, type Role, staffMessages } from '../staff.contract.ts'
import { SignInLayout } from './SignInLayout.tsx'
import { createPasskey } from './me.passkey.ts'
import { roleLabel } from './me.labels.ts'
import * as s from './Door.module.css'

export default function InvitedPage({ params: { token = '' } }: PageProps) {
  const api = useApi()
  const query = queryOptions({
    queryKey: ['invitation', token],
    queryFn: async () => (await api.call(openInvitation, { body: { token } })).data,
    staleTime: Infinity,
    retry: false,
  })
  const { data, error, refetch } = useQuery(query)
  const isFetching = useIsFetching(query)
  if (data) return <CreatePasskeyForm token={token} person={data} />
  if (error instanceof ApiError && error.status === 400)
    return <SignInLayout title="Your invitation" lead={staffMessages.invitation} />
  if (error && !isFetching)
    return (
      <SignInLayout title="Your invitation" lead="We couldn’t open your invitation. Try again in a moment.">
        <div className={s.acts}>
          <BusyButton kind="quiet" busy={isFetching} busyText="Trying again" onClick={() => void refetch()}>
            Try again
          </BusyButton>
        </div>
      </SignInLayout>
    )
  return (
    <SignInLayout title="Your invitation">
      <Skeleton lines={3} />
    </SignInLayout>
  )
}

type Person = { name: string; email: string; roles: Role[] }

function CreatePasskeyForm({ token, person }: { token: string; person: Person }) {
  const api = useApi()
  const form = useForm({
    schema: passkeyNameSchema,
    initial: { passkey: 'This computer' },
    async submit({ passkey }) {
      // A new challenge is requested, because the one that came with the page may have expired.
      const { data } = await api.call(openInvitation, { body: { token } })
      const answer = await createPasskey(data.options)
      return api.call(acceptInvitation, { body: { token, passkey, answer } })
    },
    onSuccess: () => location.assign('/'),
  })
  return (
    <SignInLayout
      title="Welcome to the desk"
      lead="You sign in with a passkey: your fingerprint, your face, or the code that unlocks this device. There is no password."
    >
      <div className={s.who}>
        <StaffAvatar name={person.name} />
        <p>
          <b>{person.name}</b>
          <small>{person.email}</small>
          <small>{roleLabel(person)}</small>
        </p>
      </div>
      <form {...form.props}>
        <FormErrors form={form} />
        <TextField
          form={form}
          name="passkey"
          label="Name of this passkey"
          hint="Helps you tell your passkeys apart."
          autoComplete="off"
        />
        <SubmitButton form={form} wide pendingText="Creating your passkey">
          Create a passkey
        </SubmitButton>
      </form>
    </SignInLayout>
  )
}
