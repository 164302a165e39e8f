// A client generated for Java at work: see ../README.md.
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Client {
  static ApiClient clientAt(String url, String token) {
    ApiClient client = new ApiClient();
    URI at = URI.create(url);
    client.setScheme(at.getScheme()).setHost(at.getHost()).setPort(at.getPort()).setBasePath(at.getPath());
    client.setRequestInterceptor(request -> {
      request.header("X-App-Key", System.getenv("FOYER_APP_KEY"));
      if (token != null) request.header("Authorization", "Bearer " + token);
    });
    return client;
  }

  static String codeOf(ApiClient client, PasswordSignInRequest wrong) throws Exception {
    try {
      new SignInApi(client).signInWithPassword(wrong, null, null, null);
      return "none";
    } catch (ApiException failure) {
      return client.getObjectMapper().readValue(failure.getResponseBody(), ErrorEnvelope.class).getError().getCode();
    }
  }

  public static void main(String[] arguments) throws Exception {
    String url = System.getenv("FOYER_BASE_URL");
    String email = System.getenv("FOYER_EMAIL");
    String password = "correct horse battery staple";
    ApiClient anyone = clientAt(url, null);
    new SignInApi(anyone).signInSignUp(new SignUpRequest().email(email).password(password), null, null);
    System.out.println("ok sign-up");
    TokenAnswer in = new SignInApi(anyone)
        .signInWithPassword(new PasswordSignInRequest().email(email).password(password), null, null, null).getData();
    System.out.println("ok sign-in");
    TokenAnswer next = new SessionsApi(anyone)
        .sessionsRefresh(new RefreshRequest().refreshToken(in.getRefreshToken())).getData();
    System.out.println("ok refresh");
    ApiClient user = clientAt(url, next.getAccessToken());
    if (new ProfileApi(user).profileGet().getData().getEmail().equals(email)) System.out.println("ok me");
    QueryCondition condition =
        new QueryCondition().field("done").op(QueryCondition.OpEnum.equal).value(false);
    List<DataRecord> records = new DataApi(user)
        .dataQuery("notes", new QueryRecordsRequest().addWhereItem(condition)).getData().getItems();
    if (records != null) System.out.println("ok query");
    PasswordSignInRequest wrong = new PasswordSignInRequest().email(email).password("not the password");
    if (codeOf(anyone, wrong).equals("auth/invalid-credential")) System.out.println("ok error");
    String newer = System.getenv("FOYER_NEWER_URL");
    if (codeOf(clientAt(newer, null), wrong).equals("auth/from-the-future")) System.out.println("ok new code");
    String method = new SessionsApi(clientAt(newer, next.getAccessToken()))
        .sessionsList(null, null).getData().getItems().get(0).getMethod();
    if (method.equals("hologram")) System.out.println("ok new value");
    // This library of the generator (`native`) sends no forms.
    System.out.println("cannot upload");
  }
}
