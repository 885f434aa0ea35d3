import { toPortalPath } from '#kit/contract/portal-path.ts'
import { useApi } from '#kit/web/api.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { StaffAvatar } from '#kit/web/desk/StaffAvatar.tsx'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { signInDemo } from '../staff.contract.ts'
import { SignInLayout } from './SignInLayout.tsx'
import { authenticateWithPasskey } from './me.passkey.ts'
import { meQuery } from './me.queries.ts'
import { roleLabel } from './me.labels.ts'
import * as s from './Door.module.css'

export default function SignInPage() {
  const api = useApi()
  const { search } = useRawLocation()
  const people = useQuery(meQuery(api)).data?.demo ?? []
  // Signing in loads a new document, so that this tab keeps nothing that was shown to someone else.
  const openRequestedPage = () => location.assign(toPortalPath(new URLSearchParams(search).get('next') ?? '/'))
  const passkeyMutation = useMutation({ mutationFn: () => authenticateWithPasskey(api), onSuccess: openRequestedPage })
  return (
    <SignInLayout title="Sign in" lead="Use the passkey on this computer, your phone or your security key.">
      <div className={s.acts}>
        <ErrorBanner error={passkeyMutation.error} />
        <BusyButton
          wide
          busy={passkeyMutation.isPending || passkeyMutation.isSuccess}
          busyText="Waiting for your passkey"
          onClick={() => void passkeyMutation.mutate()}
        >
          Sign in with your passkey
        </BusyButton>
        {people.length > 0 && <DemoPeople people={people} onEntered={openRequestedPage} />}
      </div>
    </SignInLayout>
  )
}

type Person = { email: string; name: string; roles: Parameters<typeof roleLabel>[0]['roles']; is_lead: boolean }

function DemoPeople({ people, onEntered }: { people: readonly Person[]; onEntered: () => void }) {
  return (
    <div className={s.people}>
      <p>This is the demo. You don’t need a passkey here.</p>
      {people.map((person) => (
        <DemoPerson key={person.email} person={person} onEntered={onEntered} />
      ))}
    </div>
  )
}

function DemoPerson({ person, onEntered }: { person: Person; onEntered: () => void }) {
  const api = useApi()
  const { email, name } = person
  const signInMutation = useMutation({
    mutationFn: () => api.call(signInDemo, { body: { email } }),
    onSuccess: onEntered,
  })
  const isBusy = signInMutation.isPending || signInMutation.isSuccess
  return (
    <>
      <button
        type="button"
        className={s.person}
        aria-busy={isBusy || undefined}
        onClick={() => void (isBusy || signInMutation.mutate())}
      >
        <StaffAvatar name={name} />
        <span>
          <b>{name}</b>
          <span className="visually-hidden">, </span>
          <small>{roleLabel(person)}</small>
        </span>
      </button>
      <ErrorBanner error={signInMutation.error} />
    </>
  )
}
