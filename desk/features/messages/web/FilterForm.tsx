import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { topicNames, messageTopics } from '../messages.contract.ts'
import { messagesPath, type MessagesFilter } from './messages.queries.ts'
import * as s from './messages.module.css'

export function FilterForm({ wish }: { wish: MessagesFilter }) {
  const { of, to, about } = wish
  return (
    // The form's fields are uncontrolled, so the `key` prop recreates the form when the URL changes.
    <form key={messagesPath(wish)} action="/messages/" method="get" className={s.narrow} aria-label="Filter the list">
      {of !== 'refused' && <input type="hidden" name="of" value={of} />}
      <label>
        <span>Domain</span>
        <input
          name="to"
          defaultValue={to ?? ''}
          placeholder="xtra.co.nz or texts"
          maxLength={253}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </label>
      <label>
        <span>Topic</span>
        <select name="about" defaultValue={about ?? ''}>
          <option value="">All topics</option>
          {messageTopics.map((subject) => (
            <option key={subject} value={subject}>
              {topicNames[subject]}
            </option>
          ))}
        </select>
      </label>
      <DenseButton type="submit" icon="search">
        Filter
      </DenseButton>
      {(to ?? about) && (
        <DenseButton kind="word" href={messagesPath({ of })}>
          Clear filter
        </DenseButton>
      )}
    </form>
  )
}
