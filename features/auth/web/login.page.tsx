import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { CookiesNeeded } from '#kit/web/form/CookiesNeeded.tsx'
import { useCookiesNeeded } from '#kit/web/form/cookies-needed.ts'
import { FormErrors } from '#kit/web/form/FormErrors.tsx'
import { PasswordField } from '#kit/web/form/PasswordField.tsx'
import { SubmitButton } from '#kit/web/form/SubmitButton.tsx'
import { TextField } from '#kit/web/form/TextField.tsx'
import { useForm } from '#kit/web/form/use-form.ts'
import { anotherActivationLink, useHasActivatedSim } from '#kit/web/has-activated-sim.ts'
import { Link } from '#kit/web/Link.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { useRawLocation } from '#kit/web/router/location.ts'
import { login, loginSchema } from '../login.contract.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { setSignedIn } from './set-signed-in.ts'
import { addRequestedPage } from './requested-page.ts'
import * as s from './AuthFrame.module.css'

export default function LoginPage() {
  const api = useApi()
  const client = useQueryClient()
  const { brand } = useBootstrap()
  const { search } = useRawLocation()
  const explainMissingCookies = useCookiesNeeded()
  const activationLink = useHasActivatedSim() ? anotherActivationLink : { text: 'Activate your SIM', url: '/activate/' }
  const form = useForm({
    schema: loginSchema,
    initial: { username: '', password: '' },
    draftKey: 'login',
    submit: (body) => explainMissingCookies(api.call(login, { body })),
    onSuccess: ({ data }) => setSignedIn(client, data),
  })
  return (
    <AuthFrame
      title="Welcome Back"
      below={
        <>
          <span>New to {brand.shortName}?</span>{' '}
          <Link href={activationLink.url} className={s.link}>
            {activationLink.text}
          </Link>
        </>
      }
    >
      <form {...form.props}>
        <CookiesNeeded form={form} />
        <FormErrors form={form} />
        <TextField
          form={form}
          name="username"
          label="Email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordField form={form} name="password" label="Password" />
        <p className={s.aside}>
          <Link href={addRequestedPage('/forgot-password/', search)} className={s.link}>
            Forgot Password
          </Link>
        </p>
        <SubmitButton form={form} wide pendingText="Logging in">
          LOG IN
        </SubmitButton>
      </form>
    </AuthFrame>
  )
}
