// A client generated for Kotlin at work: see ../README.md.
import foyer.apis.*
import foyer.infrastructure.*
import foyer.models.*
import java.io.File

fun codeOf(url: String, wrong: PasswordSignInRequest): String {
    try {
        SignInApi(url).signInWithPassword(wrong, null, null, null)
        return "none"
    } catch (failure: ClientException) {
        val body = (failure.response as ClientError<*>).body as String
        return Serializer.gson.fromJson(body, ErrorEnvelope::class.java).error.code
    }
}

fun main() {
    val url = System.getenv("FOYER_BASE_URL")
    val newer = System.getenv("FOYER_NEWER_URL")
    val email = System.getenv("FOYER_EMAIL")
    val password = "correct horse battery staple"
    ApiClient.apiKey["X-App-Key"] = System.getenv("FOYER_APP_KEY")
    SignInApi(url).signInSignUp(SignUpRequest(email, password), null, null)
    println("ok sign-up")
    val first = SignInApi(url).signInWithPassword(PasswordSignInRequest(email, password), null, null, null).data
    println("ok sign-in")
    val next = SessionsApi(url).sessionsRefresh(RefreshRequest(first.refreshToken)).data
    println("ok refresh")
    ApiClient.accessToken = next.accessToken
    if (ProfileApi(url).profileGet().data.email == email) println("ok me")
    val condition = QueryCondition("done", QueryCondition.Op.equal, false)
    if (DataApi(url).dataQuery("notes", QueryRecordsRequest(listOf(condition))).data.items.size >= 0) println("ok query")
    if (FilesApi(url).filesUpload(File(System.getenv("FOYER_FILE")), "private").data.size > 0) println("ok upload")
    val wrong = PasswordSignInRequest(email, "not the password")
    if (codeOf(url, wrong) == "auth/invalid-credential") println("ok error")
    if (codeOf(newer, wrong) == "auth/from-the-future") println("ok new code")
    if (SessionsApi(newer).sessionsList(null, null).data.items[0].method == "hologram") println("ok new value")
}
