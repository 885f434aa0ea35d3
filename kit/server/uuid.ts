/** Whether a text has the shape of a UUID; the database takes anything else for a fault of ours. */
export const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
