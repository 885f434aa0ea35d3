import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { CopyText } from '#kit/web/desk/CopyText.tsx'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { inWords } from '#desk/features/staff/web/in-words.ts'
import { withPasskey } from '#desk/features/staff/web/me.passkey.ts'
import { inviteBody, inviteToTeam, type TeamPerson } from '../team.contract.ts'
import { RoleFields, ticksOf } from './RoleFields.tsx'
import s from './team.module.css'

type Props = { person?: TeamPerson; onInvited: () => void }

/** Makes a link that makes a passkey. It is shown here and nowhere again. */
export function InviteForm({ person, onInvited }: Props) {
  const api = useApi()
  const [link, setLink] = useState<string | null>(null)
  const form = useForm({
    schema: inviteBody,
    initial: { email: person?.email ?? '', name: person?.name ?? '', ...ticksOf(person) },
    submit: (body) => inWords(withPasskey(api, () => api.call(inviteToTeam, { body }))),
    onSuccess({ data }) {
      setLink(data.link)
      onInvited()
    },
  })
  if (link) return <OnceOnly link={link} name={form.values.name} />
  return (
    <form {...form.props}>
      {person ? (
        <p>
          {person.suspended
            ? 'They are back with this link, and their old passkeys are gone.'
            : 'Their passkeys count until the new link is used. Suspend them first if a passkey was stolen.'}
        </p>
      ) : (
        <p>Somebody who is here already is invited anew, with these roles.</p>
      )}
      <FormErrors form={form} />
      {!person && <TextField form={form} name="email" label="E-mail" type="email" autoComplete="off" maxLength={254} />}
      <TextField form={form} name="name" label="Name" autoComplete="off" maxLength={80} />
      <RoleFields form={form} />
      <SubmitButton form={form} wide pendingText="Making the link">
        Make a link
      </SubmitButton>
    </form>
  )
}

function OnceOnly({ link, name }: { link: string; name: string }) {
  return (
    <div role="status">
      <p>No mail is sent. Give this link to {name} yourself; it works once, for a day. It is not shown again.</p>
      <code className={s.link}>{link}</code>
      <CopyText text={link}>Copy the link</CopyText>
    </div>
  )
}
