/** Whether text has the form of a UUID. The database rejects anything else with an error, which would look like a fault in our code. */
export const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
